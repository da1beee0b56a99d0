interface Ranked {
  readonly score: number;
}

/**
 * Merges ranked lists: takes the best of their first elements, then of what is left, up to `limit`. Equal scores are decided by
 * `compare`, and without it the earlier list goes first. Each list keeps its own order, whatever the scores of its later elements, so
 * a shorter result is always the beginning of a longer one.
 */
export function mergeRanked<Hit extends Ranked>(
  lists: readonly (readonly Hit[])[],
  limit: number,
  compare: (a: Hit, b: Hit) => number = () => 0,
): Hit[] {
  const heads = lists.filter((list) => list.length > 0).map((list) => ({ list, at: 0 }));
  const merged: Hit[] = [];
  while (merged.length < limit && heads.length > 0) {
    let next = 0;
    for (let head = 1; head < heads.length; head++) {
      const [hit, best] = [heads[head]!, heads[next]!].map(({ list, at }) => list[at]!) as [Hit, Hit];
      if (hit.score > best.score || (hit.score === best.score && compare(hit, best) < 0)) next = head;
    }
    const { list, at } = heads[next]!;
    merged.push(list[at]!);
    if (at + 1 === list.length) heads.splice(next, 1);
    else heads[next]!.at++;
  }
  return merged;
}
