import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { setTo } from '../parts/signals.ts';

interface CardProps {
  readonly title: string;
  readonly text?: string;
  readonly children: ComponentChildren;
}

/** One topic of the settings. */
export function Card({ title, text, children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {text !== undefined && <p class="quiet">{text}</p>}
      {children}
    </section>
  );
}

/** Its fields exist only while it is open, so that there is one field called `Name` where people sign in. */
export function Unfolding({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const isOpen = useSignal(false);
  return (
    <details onToggle={({ currentTarget: { open } }) => setTo(isOpen, open)}>
      <summary>{title}</summary>
      {isOpen.value && children}
    </details>
  );
}
