import { BRAND, type DocumentSections, fieldOf, NAME, TERM_MASK } from '../index/document-table.ts';
import { HASH_SEED, hashEnd, hashStep } from '../index/int32.ts';

export interface SearchHit {
  /** The number of the document, in the order in which documents were added. */
  readonly document: number;
  readonly score: number;
}

/** What a document is shown as: copies of one name crowd nothing else out. */
export interface Identity {
  readonly name: number;
  readonly nameAndBrand: number;
}

interface Answer extends SearchHit, Identity {}

/** Documents of one name that may stand among the others; further ones follow at the end. */
const MAX_SAME_NAME_ANSWERS = 3;

/**
 * The best answers so far: higher score first, then static order. Only the best one of each name and brand, and the best
 * three of each name, rank among the others; further copies fill the end when nothing else is left to show.
 */
export class Answers {
  /** How many answers were asked for, copies included. */
  readonly #asked: number;
  /** How many answers besides copies are still looked for. */
  #limit: number;
  readonly #floor: number;
  /** Whether a document may be an answer at all, to be checked before it is scored; undefined where all may. */
  readonly accepts: ((document: number) => boolean) | undefined;
  readonly #identityOf: (document: number) => Identity;
  readonly #distinct: Answer[] = [];
  readonly #copies: Answer[] = [];

  constructor(ports: {
    readonly limit: number;
    /** The caller has no use for documents below this score. */
    readonly floor: number;
    readonly accepts?: ((document: number) => boolean) | undefined;
    readonly identityOf: (document: number) => Identity;
  }) {
    this.#asked = ports.limit;
    this.#limit = ports.limit;
    this.#floor = ports.floor;
    this.accepts = ports.accepts;
    this.#identityOf = ports.identityOf;
  }

  get count(): number {
    return this.#distinct.length;
  }

  get bestScore(): number {
    return this.#distinct[0]?.score ?? Number.NEGATIVE_INFINITY;
  }

  /**
   * From here on looks for at most this many answers besides copies, or for as many as there are already. Copies of these
   * still follow, up to the number asked for.
   */
  narrowTo(limit: number): void {
    this.#limit = Math.min(this.#limit, Math.max(limit, this.#distinct.length));
  }

  /** Documents below this score cannot change the answers any more. */
  get lowestScore(): number {
    const last = this.#distinct[this.#limit - 1];
    return last === undefined ? this.#floor : last.score;
  }

  /** True when neither a document with this score nor any later one in static order can become an answer. */
  isTooLate(document: number, score: number): boolean {
    if (this.#distinct.length < this.#limit) return score < this.#floor;
    const last = this.#distinct[this.#distinct.length - 1]!;
    return score < last.score || (score === last.score && document > last.document);
  }

  /** Inserts a document at its rank; false when it comes too late, or was found before with as high a score. */
  offer(document: number, score: number): boolean {
    if (this.isTooLate(document, score)) return false;
    if (!forget(this.#distinct, document, score) || !forget(this.#copies, document, score)) return false;
    const answer = { document, score, ...this.#identityOf(document) };
    insert(this.#distinct, answer);
    const surplus = this.#surplusAfter(answer);
    if (surplus !== undefined) {
      this.#distinct.splice(this.#distinct.indexOf(surplus), 1);
      insert(this.#copies, surplus);
      if (this.#copies.length > this.#asked) this.#copies.pop();
    }
    if (this.#distinct.length > this.#limit) this.#distinct.pop();
    return true;
  }

  list(): SearchHit[] {
    return [...this.#distinct, ...this.#copies]
      .slice(0, this.#asked)
      .map(({ document, score }) => ({ document, score }));
  }

  /** The last answer of the same name, if the added one made it one too many. */
  #surplusAfter(added: Answer): Answer | undefined {
    const namesakes = this.#distinct.filter((answer) => answer.name === added.name);
    const twins = namesakes.filter((answer) => answer.nameAndBrand === added.nameAndBrand);
    if (twins.length > 1) return twins.at(-1);
    return namesakes.length > MAX_SAME_NAME_ANSWERS ? namesakes.at(-1) : undefined;
  }
}

/** Takes out an earlier, lower answer of the same document; false when the earlier one is as good. */
function forget(answers: Answer[], document: number, score: number): boolean {
  const at = answers.findIndex((answer) => answer.document === document);
  if (at < 0) return true;
  if (answers[at]!.score >= score) return false;
  answers.splice(at, 1);
  return true;
}

function insert(answers: Answer[], answer: Answer): void {
  let at = answers.length;
  while (at > 0 && comesBefore(answer, answers[at - 1]!)) at--;
  answers.splice(at, 0, answer);
}

function comesBefore(a: Answer, b: Answer): boolean {
  return a.score > b.score || (a.score === b.score && a.document < b.document);
}

/** What a document is shown as. Names that differ in case, accents and signs alone are the same. */
export function identityOf({ entries, entryStarts }: DocumentSections, document: number): Identity {
  let name = HASH_SEED;
  let brand = HASH_SEED;
  const end = entryStarts[document + 1]!;
  for (let at = entryStarts[document]! + 1; at < end; at++) {
    const entry = entries[at]!;
    const field = fieldOf(entry);
    if (field === NAME) name = hashStep(name, entry & TERM_MASK);
    else if (field === BRAND) brand = hashStep(brand, entry & TERM_MASK);
    else break;
  }
  return { name: hashEnd(name), nameAndBrand: hashEnd(hashStep(name, brand)) };
}
