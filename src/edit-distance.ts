/** Letters to add, remove or change between two short names (Levenshtein). */
export function editsBetween(a: string, b: string): number {
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
