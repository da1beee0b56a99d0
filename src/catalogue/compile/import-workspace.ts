import { join } from 'node:path';
import type { WriterDisk } from '../../files/atomic-file-writer.ts';
import type { SegmentOrigin } from '../file/segment.ts';

export interface PublishOptions {
  /** True where not stated. */
  readonly putInUse?: boolean;
}

export interface WorkspaceSegment {
  readonly file: string;
  readonly origin: SegmentOrigin;
}

interface ImportWorkspaceParts {
  readonly disk: WriterDisk | undefined;
  readonly segments: readonly WorkspaceSegment[];
  /** Begins the names of new segments, so that they sort by time. */
  readonly stamp: string;
  readonly segmentFolder: string;
  readonly catalogueFolder: string;
  readonly publish: (file: string, options: PublishOptions) => Promise<string>;
  readonly release: () => Promise<void>;
}

/** The one import that is under way. Always dispose of it: that removes what was not published and releases the lock. */
export class ImportWorkspace implements AsyncDisposable {
  /** Segments of the catalogue in use, oldest first: what an import adds to. */
  readonly segments: readonly WorkspaceSegment[];
  /** The disk that all of it is written to, where a part of it has to stay free. */
  readonly disk: WriterDisk | undefined;
  /** A path for the catalogue to compile. */
  readonly catalogueFile: string;
  readonly #parts: ImportWorkspaceParts;
  #newSegments = 0;

  constructor(parts: ImportWorkspaceParts) {
    this.#parts = parts;
    this.segments = parts.segments;
    this.disk = parts.disk;
    // Ends in .tmp, so that it is cleared away unless it is published.
    this.catalogueFile = join(parts.catalogueFolder, 'compiled.tmp');
  }

  /** A path for the new segment; it is kept if the catalogue that is published was compiled from it. */
  newSegmentFile(origin: SegmentOrigin): string {
    const number = String(++this.#newSegments).padStart(2, '0');
    return join(this.#parts.segmentFolder, `${this.#parts.stamp}-${number}-${origin}.segment`);
  }

  /**
   * Puts the compiled catalogue in the catalogue store and, unless told otherwise, into use; then removes what is too old.
   * Answers its name.
   */
  publish(options: PublishOptions = {}): Promise<string> {
    return this.#parts.publish(this.catalogueFile, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.release();
  }
}
