/** What the main thread tells the API threads about the service as a whole. */
export interface ServiceStatus {
  readonly phase: 'starting' | 'ready' | 'stopping';
  readonly catalogue?: LoadedCatalogue;
  /** Why the newest catalogue was refused; the older one keeps serving. */
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
