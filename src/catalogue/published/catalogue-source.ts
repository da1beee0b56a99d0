import type { ActiveCatalogueWatch } from '../compile/active-pointer.ts';
import type { CopyProblemCode } from './fetch-problem.ts';

/** Tells a process which catalogue to answer from, and gets it. */
export interface CatalogueSource {
  /** The one to begin with; undefined where there is none. */
  current(): Promise<string | undefined>;
  /** Calls `onNewest` where another one than `known` is to be answered from, and for each further one. */
  watch(known: string, onNewest: (name: string) => void): ActiveCatalogueWatch;
  /** Reads and verifies the catalogue of this name, which is fetched first where that is needed. */
  load(name: string, signal: AbortSignal): Promise<SharedArrayBuffer>;
  /** To be called when the process answers from it. */
  taken(name: string): Promise<void>;
  /** To be called when it could not be loaded, or the process could not use it. Resolves with the kind of the problem. */
  failed(name: string, error: unknown): Promise<CopyProblemCode>;
}
