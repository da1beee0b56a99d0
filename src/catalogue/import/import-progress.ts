import type { CompileProgress } from '../compile/compile.ts';

/** Receives the progress of an import. Calls come often and must be cheap; the listener decides what to show, and when. */
export interface ImportProgress {
  /** Begins a phase and ends the one before it. `total` is in the unit in which `update` counts. */
  begin(phase: string, total: number): void;
  /** `done` of the phase's total, and the foods that this makes. */
  update(done: number, foods: number): void;
  end(): void;
}

const PHASES: Readonly<Record<CompileProgress['phase'], string>> = {
  read: 'Sorting',
  merge: 'Merging duplicates',
  write: 'Writing the catalogue',
  index: 'Writing the search index',
};

/** Shows the phases of compiling as those of an import; throws what `signal` says once that is aborted. */
export function showCompiling({
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
