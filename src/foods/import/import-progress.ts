import type { CompileProgress } from '../compile/compile.ts';

/** Receives the progress of an import. Calls are frequent and must be cheap. */
export interface ImportProgress {
  /** Begins a phase and ends the previous one. `total` has the unit of `update`. */
  begin(phase: string, total: number): void;
  /** Reports `done` of the phase's total, and the foods so far. */
  update(done: number, foods: number): void;
  end(): void;
}

const PHASES: Readonly<Record<CompileProgress['phase'], string>> = {
  read: 'Sorting',
  merge: 'Merging duplicates',
  write: 'Writing the catalogue',
  index: 'Writing the search index',
};

/** Shows the compile phases as phases of an import. Throws the reason of an aborted `signal`. */
export function compilePhases({
  progress,
  signal,
}: {
  readonly progress: ImportProgress;
  readonly signal: AbortSignal;
}): (at: CompileProgress) => void {
  let current: CompileProgress['phase'] | undefined;
  return ({ phase, done, total }) => {
    signal.throwIfAborted();
    if (phase !== current) progress.begin(PHASES[phase], total);
    current = phase;
    progress.update(done, phase === 'index' ? 0 : done);
  };
}
