import { tokenise } from '@larder/core/words/tokenise.ts';
import { type ExplainedPlan, type Explanation, explainPlan } from './explanation.ts';
import { Dictionary } from './index/dictionary.ts';
import { type DocumentSections, documentsNamed, type ExactNameSections } from './index/document-table.ts';
import { PostingLists } from './index/posting-lists.ts';
import { type SearchSections, toIndexSections } from './index/sections.ts';
import { type GivenDocument, PlanRunner } from './match/plan-walk.ts';
import { toBounds } from './match/scorer.ts';
import { type SearchHit, TopHits } from './match/top-hits.ts';
import {
  Budget,
  ENOUGH_ANSWERS,
  MAX_ANSWERS,
  MAX_QUERY_CHARACTERS,
  MAX_QUERY_TOKENS,
  MAX_SAME_NAME,
} from './query/query-limits.ts';
import { FAVOURITE, FAVOURITE_OFTEN } from './query/ranking-weights.ts';
import { SlotMaker } from './query/slot-maker.ts';
import { Spelling } from './query/spelling.ts';
import { type OnPlan, QueryRun } from './query-run.ts';

export type { SearchHit } from './match/top-hits.ts';

/** A document that the user eats. */
export interface Favourite {
  readonly document: number;
  readonly timesEaten: number;
}

/** Options of a search. */
export interface IndexOptions {
  /** Documents with a lower score may be left out, which saves work. */
  readonly floor?: number;
  /** Documents that rank first if they match every typed word. */
  readonly favourites?: readonly Favourite[];
  /** Whether a document may be an answer, for an index that contains deleted ones. */
  readonly accepts?: ((document: number) => boolean) | undefined;
  readonly work?: SharedWork | undefined;
}

/** Units of work (`MAX_WORK`) that several searches share; each subtracts its own. */
export interface SharedWork {
  left: number;
}

export interface WordHits {
  readonly hits: readonly SearchHit[];
  /** Number of leading hits that have every word of the query; infinite if the words found enough. */
  readonly complete: number;
}

/** The observed work of an explanation. */
interface ExplainedWork {
  readonly budget: Budget;
  readonly onPlan: OnPlan;
}

const NO_FLOOR = Number.NEGATIVE_INFINITY;

/** Answers queries over the sections of `SearchIndexBuilder`. */
export class SearchIndex {
  readonly #documents: DocumentSections;
  readonly #names: ExactNameSections;
  readonly #dictionary: Dictionary;
  readonly #slotMaker: SlotMaker;
  readonly #runner: PlanRunner;

  private constructor(ports: {
    readonly documents: DocumentSections;
    readonly names: ExactNameSections;
    readonly dictionary: Dictionary;
    readonly slotMaker: SlotMaker;
    readonly runner: PlanRunner;
  }) {
    this.#documents = ports.documents;
    this.#names = ports.names;
    this.#dictionary = ports.dictionary;
    this.#slotMaker = ports.slotMaker;
    this.#runner = ports.runner;
  }

  /** Reads the sections in place; they must not change afterwards. */
  static open(arrays: SearchSections): SearchIndex {
    const sections = toIndexSections(arrays);
    const dictionary = new Dictionary(sections);
    const lists = new PostingLists(sections);
    const spelling = new Spelling({ dictionary, lists, deletions: sections });
    const documents = sections.entryStarts.length - 1;
    return new SearchIndex({
      documents: sections,
      names: sections,
      dictionary,
      slotMaker: new SlotMaker({ dictionary, lists, spelling, trigrams: sections, documents }),
      runner: new PlanRunner({
        documents: sections,
        lists,
        bounds: toBounds(sections),
      }),
    });
  }

  get documents(): number {
    return this.#documents.entryStarts.length - 1;
  }

  /**
   * The best `limit` documents, best first; equal scores in static order. A shorter result is a prefix of a longer
   * one. Never throws.
   */
  search(query: string, limit: number, options: IndexOptions = {}): readonly SearchHit[] {
    return this.find(query, limit, options).hits;
  }

  /** Finds the best `limit` documents, and returns how well the words matched. */
  find(query: string, limit: number, options: IndexOptions = {}, explained?: ExplainedWork): WordHits {
    if (limit <= 0) return { hits: [], complete: 0 };
    const { floor = NO_FLOOR, favourites = [], accepts, work } = options;
    const budget = explained?.budget ?? new Budget(work?.left);
    const most = budget.work;
    const tokens = tokenise(query.slice(0, MAX_QUERY_CHARACTERS), MAX_QUERY_TOKENS);
    const answers = new TopHits({
      // A lower limit would never give enough answers, so all tolerant steps would run.
      limit: Math.min(Math.max(limit, ENOUGH_ANSWERS), MAX_ANSWERS),
      floor,
      accepts,
      documents: this.#documents,
    });
    let complete = 0;
    if (tokens.length > 0) {
      complete = new QueryRun({
        tokens,
        slotMaker: this.#slotMaker,
        runner: this.#runner,
        named: this.#documentsNamed(tokens),
        favourites: favourites.map(toGivenDocument),
        answers,
        budget,
        onPlan: explained?.onPlan,
      }).run();
    }
    if (work !== undefined) work.left -= most - budget.work;
    return { hits: answers.list().slice(0, limit), complete };
  }

  /** Whether every word of the query is a word of some document; with `isUnfinished` the last may be a beginning of one. */
  knows(query: string, isUnfinished = false): boolean {
    const tokens = tokenise(query.slice(0, MAX_QUERY_CHARACTERS), MAX_QUERY_TOKENS);
    return (
      tokens.length > 0 &&
      tokens.every((token, at) => {
        if (this.#dictionary.find(token) >= 0) return true;
        if (!isUnfinished || at < tokens.length - 1) return false;
        const { from, to } = this.#dictionary.startingWith(token);
        return from < to;
      })
    );
  }

  /** Searches as `find` does, and explains the result. */
  explain(query: string, limit: number): Explanation {
    const plans: ExplainedPlan[] = [];
    const budget = new Budget();
    let before = { ...budget };
    const onPlan: OnPlan = (plan, { count }) => {
      const work = {
        postingsRead: budget.postingsRead - before.postingsRead,
        documentsScored: budget.documentsScored - before.documentsScored,
        answers: count,
      };
      before = { ...budget };
      plans.push(explainPlan(plan, this.#dictionary, work));
    };
    const tokens = tokenise(query.slice(0, MAX_QUERY_CHARACTERS), MAX_QUERY_TOKENS);
    return { tokens, plans, ...this.find(query, limit, {}, { budget, onPlan }) };
  }

  #documentsNamed(words: readonly string[]): GivenDocument[] {
    const terms: number[] = [];
    for (const word of words) {
      const term = this.#dictionary.find(word);
      if (term < 0) return [];
      terms.push(term);
    }
    const given: GivenDocument[] = [];
    const named = documentsNamed(this.#names, terms).subarray(0, MAX_SAME_NAME);
    for (const document of named) given.push({ document, bonus: 0 });
    return given;
  }
}

/** Each doubling of the count adds ten points. */
function toGivenDocument({ document, timesEaten }: Favourite): GivenDocument {
  const often = Math.min(FAVOURITE_OFTEN, Math.floor(10 * Math.log2(Math.max(1, timesEaten))));
  return { document, bonus: FAVOURITE + often };
}
