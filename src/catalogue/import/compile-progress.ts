import type { CompileProgress } from '../compile/compile.ts';
import type { ImportProgress } from './import-progress.ts';

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
