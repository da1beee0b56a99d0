/** What the main thread tells the API threads about the service as a whole. */
export interface ServiceStatus {
  readonly phase: 'starting' | 'ready' | 'stopping';
  readonly catalogue?: LoadedCatalogue;
  /** Why the newest catalogue was refused; the older one keeps serving. */
  readonly catalogueProblem?: string;
}

export interface LoadedCatalogue {
  readonly name: string;
  readonly foods: number;
  readonly checksum: string;
}
