type Target = HTMLElement | null | undefined;

/** Whether no element has the focus, as after the one that had it has gone. */
export function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body;
}

/** Gives the focus to an element, also to one that Tab passes over, such as a heading. */
export function focusOn(element: Target): void {
  if (element === null || element === undefined) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus();
}

/** Gives the focus to the heading of what is shown, if no element has it. */
export function focusView(): void {
  if (!isFocusLost()) return;
  const view = [...document.querySelectorAll<HTMLElement>('dialog[open], main')].at(-1);
  focusOn(view?.querySelector<HTMLElement>('h1, h2') ?? view);
}

/** Does work after which a button may be gone; then its focus goes to another element. */
export async function passFocus(
  button: HTMLElement,
  to: Target,
  work: () => Promise<boolean>,
): Promise<void> {
  const isDone = await work();
  if (isDone && (isFocusLost() || document.activeElement === button)) focusOn(to);
}

/** The heading of the card that an element is in. */
export function headingOf(element: HTMLElement): Target {
  return element.closest('.card')?.querySelector<HTMLElement>('h2');
}
