/** Told of how an import goes. Calls are cheap and come often; what is shown, and when, is the listener's matter. */
export interface ImportProgress {
  /** Begins a phase and ends the one before it. `total` is in whatever `update` counts up to it. */
  begin(phase: string, total: number): void;
  /** `done` of the phase's total, and the foods that this makes. */
  update(done: number, foods: number): void;
  end(): void;
}
