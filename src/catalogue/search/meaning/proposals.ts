import type { SearchHit } from '../match/top-hits.ts';
import type { WordHits } from '../search-index.ts';
import type { MeaningIndex } from './meaning-index.ts';

/** Foods proposed for one query at most. */
const MAX_PROPOSALS = 20;
/** Texts that are less alike hardly ever name the same food, nor is nonsense more like one. */
const LEAST_SIMILARITY = 0.4;
/** Score of proposals after the last food that words found; any food that has one of the words scores higher. */
const NO_WORDS = -10_000;

/** Proposals after each food that lacks some of the words. */
const PROPOSALS_A_TURN = 4;
const LETTER = /\p{L}/u;

/** An answer of a search. */
export interface Answer extends SearchHit {
  /**
   * For a proposal its similarity to the query. Its score is that of the next food that was found by words, so that foods of
   * other indexes are put before it, if they were found as well as that one.
   */
  readonly similarity?: number;
}

/**
 * Answers of the words, and foods of a similar meaning where the words found little: behind the hits that have every word, in turns
 * with those that lack some. The hits keep their order, and a shorter list is the beginning of a longer one.
 */
export function withProposals(
  { hits, complete }: WordHits,
  meaning: MeaningIndex | undefined,
  { query, limit }: { readonly query: string; readonly limit: number },
): readonly Answer[] {
  if (meaning === undefined || complete >= limit || !LETTER.test(query)) return hits;
  const near = meaning.nearest(query, MAX_PROPOSALS, LEAST_SIMILARITY);
  if (near.length === 0) return hits;
  const answers: Answer[] = hits.slice(0, complete);
  const shown = new Set(answers.map(({ document }) => document));
  const rest = hits.slice(complete);
  const add = (...some: readonly Answer[]) => {
    for (const answer of some) {
      if (shown.has(answer.document)) continue;
      shown.add(answer.document);
      answers.push(answer);
    }
  };
  for (let turn = 0; turn < Math.max(rest.length, near.length / PROPOSALS_A_TURN); turn++) {
    add(...rest.slice(turn, turn + 1));
    const score = rest[turn + 1]?.score ?? NO_WORDS;
    const from = turn * PROPOSALS_A_TURN;
    add(...near.slice(from, from + PROPOSALS_A_TURN).map((proposal) => ({ ...proposal, score })));
  }
  return answers.slice(0, limit);
}
