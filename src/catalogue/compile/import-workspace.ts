import { join } from 'node:path';
import type { WriterDisk } from '../../files/atomic-file-writer.ts';
import type { SegmentOrigin } from '../file/segment.ts';
import type { ImportWorkspace, PublishOptions, WorkspaceSegment } from './catalogue-store-types.ts';

interface FolderImportParts {
  readonly disk: WriterDisk | undefined;
  readonly segments: readonly WorkspaceSegment[];
  /** Begins the names of new segments, so that they sort by time. */
  readonly stamp: string;
  readonly segmentFolder: string;
  readonly catalogueFolder: string;
  readonly publish: (file: string, options: PublishOptions) => Promise<string>;
  readonly release: () => Promise<void>;
}

/** An import on a `FolderCatalogueStore`, which lends it the lock. */
export class FolderImport implements ImportWorkspace {
  readonly segments: readonly WorkspaceSegment[];
  readonly disk: WriterDisk | undefined;
  readonly catalogueFile: string;
  readonly #parts: FolderImportParts;
  #newSegments = 0;

  constructor(parts: FolderImportParts) {
    this.#parts = parts;
    this.segments = parts.segments;
    this.disk = parts.disk;
    // Ends in .tmp, so that it is cleared away unless it is published.
    this.catalogueFile = join(parts.catalogueFolder, 'compiled.tmp');
  }

  newSegmentFile(origin: SegmentOrigin): string {
    const number = String(++this.#newSegments).padStart(2, '0');
    return join(this.#parts.segmentFolder, `${this.#parts.stamp}-${number}-${origin}.segment`);
  }

  publish(options: PublishOptions = {}): Promise<string> {
    return this.#parts.publish(this.catalogueFile, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.release();
  }
}
