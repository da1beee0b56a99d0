/** All that strangers are told of why a catalogue was refused. */
export const REFUSED = 'A newer catalogue cannot be used; the log of the service says why.';

/** What the main thread tells the API threads about the service as a whole. */
export interface ServiceStatus {
  readonly phase: 'starting' | 'ready' | 'stopping';
  readonly catalogue?: LoadedCatalogue;
  /** Present where the newest catalogue was refused; the older one keeps serving. It names no path: anybody may read it. */
  readonly catalogueProblem?: string | undefined;
  /** In a cluster in which a catalogue was activated. */
  readonly following?: FollowedCatalogue | undefined;
}

interface FollowedCatalogue {
  /** Name of the active catalogue. */
  readonly active: string;
  /** Why it is not answered from. */
  readonly problem: string | undefined;
}

export interface LoadedCatalogue {
  readonly name: string;
  readonly foods: number;
  readonly checksum: string;
}
