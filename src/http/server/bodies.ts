/** A JSON array of items that `toJson` writes. */
export function jsonList<T>(items: readonly T[], toJson: (item: T) => string): string {
  let list = '[';
  for (let i = 0; i < items.length; i++) list += i === 0 ? toJson(items[i]!) : `,${toJson(items[i]!)}`;
  return `${list}]`;
}
