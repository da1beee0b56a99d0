import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { loadTexts, type TextGroup, texts } from '../texts/texts.ts';
import { Problem } from './problem-line.tsx';

/** Loads the code of a part. */
export type Load<P> = () => Promise<FunctionComponent<P>>;

/** Parts that were loaded: they are shown at once. */
const loaded = new WeakMap<Load<never>, unknown>();

/** Loads a part with the texts that it shows. */
export function withTexts<P>(load: Load<P>, ...groups: readonly TextGroup[]): Load<P> {
  return async () => (await Promise.all([load(), loadTexts(...groups)]))[0];
}

/** Loads a part that is likely to be wanted, while the browser has nothing else to do. */
export function loadAhead<P>(load: Load<P>): void {
  const read = () => void loadPart(load).catch(() => {});
  // Safari has no such call.
  if (globalThis.requestIdleCallback === undefined) setTimeout(read);
  else requestIdleCallback(read);
}

async function loadPart<P>(load: Load<P>): Promise<FunctionComponent<P>> {
  const part = await load();
  loaded.set(load, part);
  return part;
}

interface LaterProps<P> {
  readonly load: Load<P>;
  readonly props: P;
}

/** A part whose code is loaded when it is first shown. */
export function Later<P extends object>({ load, props }: LaterProps<P>) {
  const part = useSignal(loaded.get(load) as FunctionComponent<P> | 'failed' | undefined);
  const read = async () => {
    part.value = undefined;
    part.value = await loadPart(load).catch(() => 'failed' as const);
  };
  useEffect(() => {
    if (part.peek() === undefined) void read();
  }, []);
  const Part = part.value;
  if (Part === undefined) return <p class="loading" aria-busy="true" />;
  if (Part !== 'failed') return <Part {...props} />;
  return <Problem text={texts.value.problems.offline} onRetry={read} />;
}

interface LaterDialogProps {
  /** Whether it is open. */
  readonly is: boolean;
  readonly load: Load<object>;
}

/** A dialog whose code is loaded when it first opens. It stays when it closes, so that the focus goes back to what opened it. */
export function LaterDialog({ is, load }: LaterDialogProps) {
  const wasOpen = useRef(false);
  wasOpen.current ||= is;
  return wasOpen.current ? <Later load={load} props={{}} /> : null;
}

/** A view whose code and texts are loaded when it is first shown; the view before stays meanwhile. */
export function lazyView<P>(load: Load<P>, ...groups: readonly TextGroup[]) {
  return lazy((): Promise<FunctionComponent<P>> => withTexts(load, ...groups)().catch(() => Missing));
}

/** Shown if the code of a view cannot be loaded: the service cannot be reached, or has a newer page. */
function Missing() {
  return <Problem text={texts.value.problems.offline} onRetry={() => location.reload()} />;
}
