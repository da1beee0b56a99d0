/** Takes spaces from the ends of a field when it is left; a required one of spaces alone is then empty. */
export function trimField({ currentTarget: field }: { readonly currentTarget: HTMLInputElement }): void {
  field.value = field.value.trim();
}
