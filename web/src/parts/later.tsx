import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { texts } from '../texts/texts.ts';
import { Problem } from './problem-line.tsx';

interface LaterProps<P> {
  readonly load: () => Promise<FunctionComponent<P>>;
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

/** A view whose code is loaded when it is first shown; the view before stays meanwhile. */
export function lazyView<P>(load: () => Promise<FunctionComponent<P>>) {
  return lazy((): Promise<FunctionComponent<P>> => load().catch(() => Missing));
}

/** Stands for a view whose code cannot be loaded: the service is away, or has a newer page. */
function Missing() {
  return <Problem text={texts.value.problems.offline} onRetry={() => location.reload()} />;
}
