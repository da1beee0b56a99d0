/** More slips than this, and the name was probably meant otherwise. */
const MAX_SLIPS = 4;

/** What to say about a name that is no setting: the one of `known` that was probably meant. */
export function suggestion(name: string, known: readonly string[]): string {
  const [closest] = known.toSorted((a, b) => slipsBetween(a, name) - slipsBetween(b, name));
  const begun = known.find((setting) => setting.startsWith(`${name}_`));
  const meant = begun ?? (slipsBetween(closest!, name) <= MAX_SLIPS ? closest : undefined);
  return meant === undefined ? '; see docs/configuration.md' : `; did you mean ${meant}?`;
}

/** How many letters have to be added, removed or changed (Levenshtein). */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < b.length; j++) {
      row.push(Math.min(row[j]! + 1, above[j + 1]! + 1, above[j]! + (letter === b[j] ? 0 : 1)));
    }
  }
  return row[b.length]!;
}
