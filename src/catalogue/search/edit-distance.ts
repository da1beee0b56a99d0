/**
 * Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, each letter edited once.
 * Answers `limit + 1` as soon as the distance must be above `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const width = b.length + 1;
  let beforeLast = new Uint8Array(width);
  let last = Uint8Array.from({ length: width }, (_, column) => column);
  let row = new Uint8Array(width);
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let best = i;
    for (let j = 1; j < width; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwap =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwap) distance = Math.min(distance, beforeLast[j - 2]! + 1);
      row[j] = distance;
      if (distance < best) best = distance;
    }
    if (best > limit) return limit + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return Math.min(last[b.length]!, limit + 1);
}
