/** Opens a closed part of a form in which the browser refuses a field, so that it can be seen and corrected. */
export function openForInvalid({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }): void {
  currentTarget.open = true;
}
