import type { WriterDisk } from '../../files/atomic-file-writer.ts';
import type { CatalogueInfo } from '../file/catalogue-info.ts';
import type { SegmentOrigin } from '../file/segment.ts';

/** A compiled catalogue on the shelf. */
export interface ShelvedCatalogue {
  readonly name: string;
  readonly inUse: boolean;
  /** Undefined where the file cannot be read; `problem` says why. */
  readonly info?: CatalogueInfo;
  readonly problem?: string;
}

/**
 * Keeps compiled catalogues and the pointer to the one in use.
 *
 * Promises: the pointer changes in one step, at whatever moment a process dies, and is durable once `use` returns.
 * A catalogue is in the catalogue store in full or not at all. The one in use is never removed. Any number of processes may
 * read while one imports.
 */
export interface CatalogueStore {
  /** Newest first. */
  list(): Promise<readonly ShelvedCatalogue[]>;
  /** Name of the catalogue in use; undefined before the first import. */
  current(): Promise<string | undefined>;
  /**
   * Makes a catalogue the one in use. Throws an `OperatorError` where the catalogue store has none of that name, and while an
   * import is under way.
   */
  use(name: string): Promise<void>;
  /** Where the file of a catalogue lies, to be read. */
  pathOf(name: string): string;
  /**
   * Calls `onChange` with the name within a second or two after another catalogue than the `known` one came into use, in
   * this process or another; at once where that was before the call.
   */
  watch(known: string | undefined, onChange: (name: string) => void): ActiveCatalogueWatch;
  /**
   * Begins an import; throws an `OperatorError` while another one is under way, in any process. What a crashed
   * import left behind is cleared away. Throws one, too, where the disk has no more than its reserve free.
   */
  beginImport(): Promise<ImportWorkspace>;
}

export interface ActiveCatalogueWatch {
  close(): void;
}

/** The one import that is under way. Always dispose of it, which removes what was not published. */
export interface ImportWorkspace extends AsyncDisposable {
  /** Segments of the catalogue in use, oldest first: what an import adds to. */
  readonly segments: readonly WorkspaceSegment[];
  /** A path for the new segment; it is kept if the catalogue that is published was compiled from it. */
  newSegmentFile(origin: SegmentOrigin): string;
  /** The disk that all of it is written to, where a part of it has to stay free. */
  readonly disk: WriterDisk | undefined;
  /** A path for the catalogue to compile. */
  readonly catalogueFile: string;
  /**
   * Puts the compiled catalogue in the catalogue store and, unless told otherwise, into use; then removes what is too old.
   * Answers its name.
   */
  publish(options?: PublishOptions): Promise<string>;
}

export interface PublishOptions {
  /** True where not stated. */
  readonly putInUse?: boolean;
}

export interface WorkspaceSegment {
  readonly file: string;
  readonly origin: SegmentOrigin;
}
