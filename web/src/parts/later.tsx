import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { loadTexts, type TextGroup, texts } from '../texts/texts.ts';
import { Problem } from './problem-line.tsx';

type Load<P> = () => Promise<FunctionComponent<P>>;

/** Loads a part with the texts that it shows. */
export function withTexts<P>(load: Load<P>, ...groups: readonly TextGroup[]): Load<P> {
  return async () => (await Promise.all([load(), loadTexts(...groups)]))[0];
}

interface LaterProps<P> {
  readonly load: Load<P>;
  readonly props: P;
}

/** A part whose code is loaded when it is first shown. */
export function Later<P extends object>({ load, props }: LaterProps<P>) {
  const part = useSignal<FunctionComponent<P> | 'failed' | undefined>(undefined);
  const read = async () => {
    part.value = undefined;
    const loaded = await load().catch(() => 'failed' as const);
    part.value = loaded;
  };
  useEffect(() => void read(), []);
  const Part = part.value;
  if (Part === undefined) return <p class="loading" aria-busy="true" />;
  if (Part !== 'failed') return <Part {...props} />;
  return <Problem text={texts.value.problems.offline} onRetry={read} />;
}

/** A view whose code and texts are loaded when it is first shown; the view before stays meanwhile. */
export function lazyView<P>(load: Load<P>, ...groups: readonly TextGroup[]) {
  return lazy((): Promise<FunctionComponent<P>> => withTexts(load, ...groups)().catch(() => Missing));
}

/** Stands for a view whose code cannot be loaded: the service is away, or has a newer page. */
function Missing() {
  return <Problem text={texts.value.problems.offline} onRetry={() => location.reload()} />;
}
