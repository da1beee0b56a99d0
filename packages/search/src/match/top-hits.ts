import { BRAND, type DocumentSections, fieldOf, NAME, TERM_MASK } from '../index/document-table.ts';
import { HASH_SEED, hashEnd, hashStep } from '../index/hash.ts';

/** A document found by a search. */
export interface SearchHit {
  /** Document number, in the order of insertion. */
  readonly document: number;
  readonly score: number;
  /** For a document proposed for its meaning: cosine of its name and the query, 1 for the same meaning. */
  readonly similarity?: number;
}

/** The displayed name and brand. Duplicates of one name do not crowd out other results. */
interface Identity {
  readonly name: number;
  readonly nameAndBrand: number;
}

interface Answer extends SearchHit, Identity {}

/** Maximum documents of one name that rank among the others; more follow at the end. */
const MAX_SAME_NAME_ANSWERS = 3;

/**
 * The best answers so far: higher score first, then static order. Only the best document of each name and brand, and
 * the best three of each name, rank among the others; duplicates fill the end if nothing else is left.
 */
export class TopHits {
  /** Requested number of answers, duplicates included. */
  readonly #requested: number;
  /** Number of answers besides duplicates still wanted. */
  #limit: number;
  readonly #floor: number;
  /** Whether a document may be an answer, checked before scoring; undefined if all may. */
  readonly accepts: ((document: number) => boolean) | undefined;
  readonly #documents: DocumentSections;
  readonly #distinct: Answer[] = [];
  readonly #copies: Answer[] = [];

  constructor(ports: {
    readonly limit: number;
    /** Lower scores are of no use to the caller. */
    readonly floor: number;
    readonly accepts?: ((document: number) => boolean) | undefined;
    readonly documents: DocumentSections;
  }) {
    this.#requested = ports.limit;
    this.#limit = ports.limit;
    this.#floor = ports.floor;
    this.accepts = ports.accepts;
    this.#documents = ports.documents;
  }

  get count(): number {
    return this.#distinct.length;
  }

  get bestScore(): number {
    return this.#distinct[0]?.score ?? Number.NEGATIVE_INFINITY;
  }

  /**
   * Reduces the number of wanted answers besides duplicates to `limit`, or to the present number if that is higher.
   * Duplicates still follow, up to the requested number.
   */
  narrowTo(limit: number): void {
    this.#limit = Math.min(this.#limit, Math.max(limit, this.#distinct.length));
  }

  /** Documents below this score cannot change the answers. */
  get lowestScore(): number {
    const last = this.#distinct[this.#limit - 1];
    return last === undefined ? this.#floor : last.score;
  }

  /** True if no document of this score, this one or later, can become an answer. */
  isTooLate(document: number, score: number): boolean {
    if (this.#distinct.length < this.#limit) return score < this.#floor;
    const last = this.#distinct[this.#distinct.length - 1]!;
    return score < last.score || (score === last.score && document > last.document);
  }

  /**
   * Inserts a document at its rank. Returns false if its score is too low or it was found before with an equal score.
   */
  offer(document: number, score: number): boolean {
    if (this.isTooLate(document, score)) return false;
    if (!forget(this.#distinct, document, score) || !forget(this.#copies, document, score)) return false;
    const answer = { document, score, ...identityOf(this.#documents, document) };
    insert(this.#distinct, answer);
    const surplus = this.#surplusAfter(answer);
    if (surplus !== undefined) {
      this.#distinct.splice(this.#distinct.indexOf(surplus), 1);
      insert(this.#copies, surplus);
      if (this.#copies.length > this.#requested) this.#copies.pop();
    }
    if (this.#distinct.length > this.#limit) this.#distinct.pop();
    return true;
  }

  list(): SearchHit[] {
    const hits: SearchHit[] = [];
    for (const { document, score } of [...this.#distinct, ...this.#copies]) {
      if (hits.length < this.#requested) hits.push({ document, score });
    }
    return hits;
  }

  /** The last answer of the same name, if the added one exceeded their number. */
  #surplusAfter(added: Answer): Answer | undefined {
    let namesakes = 0;
    let last: Answer | undefined;
    let twins = 0;
    let lastTwin: Answer | undefined;
    for (const answer of this.#distinct) {
      if (answer.name !== added.name) continue;
      namesakes++;
      last = answer;
      if (answer.nameAndBrand !== added.nameAndBrand) continue;
      twins++;
      lastTwin = answer;
    }
    if (twins > 1) return lastTwin;
    return namesakes > MAX_SAME_NAME_ANSWERS ? last : undefined;
  }
}

/** Removes an earlier, lower answer of the same document. Returns false if the earlier one is as good. */
function forget(answers: Answer[], document: number, score: number): boolean {
  for (let at = 0; at < answers.length; at++) {
    if (answers[at]!.document !== document) continue;
    if (answers[at]!.score >= score) return false;
    answers.splice(at, 1);
    return true;
  }
  return true;
}

/** Higher score first, then static order. */
function insert(answers: Answer[], answer: Answer): void {
  const { score, document } = answer;
  let at = answers.length;
  for (; at > 0; at--) {
    const before = answers[at - 1]!;
    if (score < before.score || (score === before.score && document >= before.document)) break;
  }
  answers.splice(at, 0, answer);
}

/** Names that differ only in case, accents and signs are the same. */
function identityOf({ entries, entryStarts }: DocumentSections, document: number): Identity {
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
