import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { WordVectorSections } from '@larder/search/word-vectors.ts';
import type { WriterDisk } from '../../files/atomic-file-writer.ts';
import type { SegmentOrigin } from '../catalogue/segment.ts';
import type { CompileOptions } from './compile.ts';
import type { CompileReport } from './compile-report.ts';
import type { FactsSource } from './write-facts.ts';

export interface CompleteOptions {
  /** Default true. */
  readonly putInUse?: boolean;
}

/** The end of the name of a segment, which says where its foods come from: one of several tables has its name in it. */
export function segmentSource(origin: SegmentOrigin, table?: string): string {
  return `${[origin, ...(table === undefined ? [] : [table])].join('-')}.segment`;
}

export interface WorkspaceSegment {
  readonly file: string;
  readonly origin: SegmentOrigin;
}

interface ImportWorkspaceOptions {
  readonly disk: WriterDisk | undefined;
  /** Word vectors for the catalogue, if foods are to be found by meaning. */
  readonly words: WordVectorSections | undefined;
  readonly segments: readonly WorkspaceSegment[];
  /** The facts of earlier segments, by file name. */
  readonly facts: ReadonlyMap<string, FactsSource>;
  /** Prefix of the names of new segments, so that they sort by time. */
  readonly stamp: string;
  readonly segmentFolder: string;
  readonly catalogueFolder: string;
  readonly complete: (file: string, options: CompleteOptions) => Promise<string>;
  readonly release: () => Promise<void>;
}

/** The current import. Always dispose of it: that removes unfinished files and releases the lock. */
export class ImportWorkspace implements AsyncDisposable {
  /** Segments of the catalogue that the import adds to, oldest first: the active one unless another was requested. */
  readonly segments: readonly WorkspaceSegment[];
  /** The disk of the workspace, with its reserve. */
  readonly disk: WriterDisk | undefined;
  /** The file that `compile` writes. */
  readonly catalogueFile: string;
  readonly #parts: ImportWorkspaceOptions;
  #newSegments = 0;

  constructor(parts: ImportWorkspaceOptions) {
    this.#parts = parts;
    this.segments = parts.segments;
    this.disk = parts.disk;
    // Ends with .tmp, so that it is removed unless the import completes.
    this.catalogueFile = join(parts.catalogueFolder, 'compiled.tmp');
  }

  /** A path for the new segment, which is kept if the completed catalogue was compiled from it. */
  newSegmentFile(origin: SegmentOrigin, table?: string): string {
    const number = String(++this.#newSegments).padStart(2, '0');
    return join(this.#parts.segmentFolder, `${this.#parts.stamp}-${number}-${segmentSource(origin, table)}`);
  }

  /** A path for the facts of a new segment, which become a part of the compiled catalogue. The file is removed then. */
  newFactsFile(segmentFile: string): string {
    return `${segmentFile}.facts.tmp`;
  }

  /** Compiles the catalogue of these segments, oldest first. */
  async compile(options: Pick<CompileOptions, 'segments' | 'nowMs' | 'onProgress'>): Promise<CompileReport> {
    // Imported here, because a service with a readable catalogue compiles nothing.
    const { compileCatalogue } = await import('./compile.ts');
    const { disk, words } = this.#parts;
    const facts = await this.#factsOf(options.segments);
    return compileCatalogue({ ...options, out: this.catalogueFile, disk, words, facts });
  }

  async #factsOf(segments: readonly string[]): Promise<ReadonlyMap<string, FactsSource>> {
    const facts = new Map(this.#parts.facts);
    for (const segment of segments) {
      const file = this.newFactsFile(segment);
      const length = (await stat(file).catch(() => undefined))?.size;
      if (length !== undefined) facts.set(basename(segment), { file, offset: 0, length });
    }
    return facts;
  }

  /**
   * Adds the compiled catalogue to the catalogue store, switches to it unless `putInUse` is false, and removes old
   * ones. Returns its name.
   */
  complete(options: CompleteOptions = {}): Promise<string> {
    return this.#parts.complete(this.catalogueFile, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.release();
  }
}
