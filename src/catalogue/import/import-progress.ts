/** Receives the progress of an import. Calls come often and must be cheap; the listener decides what to show, and when. */
export interface ImportProgress {
  /** Begins a phase and ends the one before it. `total` is in the unit in which `update` counts. */
  begin(phase: string, total: number): void;
  /** `done` of the phase's total, and the foods that this makes. */
  update(done: number, foods: number): void;
  end(): void;
}
