import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { Later } from './later.tsx';

interface Closable {
  readonly onClose: () => void;
}
type Load<P> = () => Promise<FunctionComponent<P>>;

const shown = signal<{ readonly load: Load<Closable>; readonly props: object } | undefined>(undefined);

/** Opens a sheet over the view, whose code is loaded for it. One is open at a time. */
export function showSheet<P extends Closable>(load: Load<P>, props: Omit<P, 'onClose'>): void {
  shown.value = { load: load as Load<Closable>, props };
}

function onClose(): void {
  shown.value = undefined;
}

/** The sheet of `showSheet`; once in a page. */
export function SheetHost() {
  if (shown.value === undefined) return null;
  const { load, props } = shown.value;
  return <Later load={load} props={{ ...props, onClose }} />;
}
