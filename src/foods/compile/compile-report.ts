import type { CatalogueInfo } from '../catalogue/catalogue-info.ts';

/** Why records were merged or dropped, in words for the operator. */
export const MERGE_REASONS = {
  replaced: 'replaced by a newer import of the same id',
  sameOrigin: 'joined with another food of the same source that has the same barcode',
  acrossOrigins: 'joined with a food of another source that has the same barcode',
  knownOnly: 'known by barcode only, joined with a food or product that has the same barcode or id',
} as const;
export type MergeReason = keyof typeof MERGE_REASONS;

/** Findings without a merge. */
export const NOTICE_REASONS = {
  doubtfulBarcode: 'kept apart although another has the same barcode, which is no valid trade item number',
  otherDigits:
    'kept apart although another of the same source has the same number with more or fewer zeros before it',
  lostFacts: 'an earlier import whose facts are damaged: foods without facts until it is imported again',
  crowdedBarcode: 'kept apart because too many share the barcode',
} as const;
export type NoticeReason = keyof typeof NOTICE_REASONS;

export interface Tally {
  readonly count: number;
  /** "ID -> ID" of one case. */
  readonly example: string;
}

export interface CompileReport {
  readonly info: CatalogueInfo;
  /** Records in all segments: `info.foods` + `info.knownProducts` + merged ones. */
  readonly read: number;
  readonly merged: Readonly<Partial<Record<MergeReason, Tally>>>;
  /** Merged foods of the last segment, without known products. */
  readonly mergedOfNewest: Readonly<Partial<Record<MergeReason, Tally>>>;
  readonly notices: Readonly<Partial<Record<NoticeReason, Tally>>>;
  readonly durationMs: number;
}

/** Counts cases by reason and keeps the first as an example. */
export class Tallies<Reason extends string> {
  readonly #tallies: Partial<Record<Reason, { count: number; example: string }>> = {};

  add(reason: Reason, example: () => string, count = 1): void {
    const tally = this.#tallies[reason];
    if (tally === undefined) this.#tallies[reason] = { count, example: example() };
    else tally.count += count;
  }

  get all(): Readonly<Partial<Record<Reason, Tally>>> {
    return this.#tallies;
  }
}

/** Counts merged records, and those of the newest import separately. */
export class MergeTallies {
  readonly #all = new Tallies<MergeReason>();
  readonly #ofNewest = new Tallies<MergeReason>();
  readonly #newestStart: number;

  /** The newest import's records begin at `newestStart`. */
  constructor({ newestStart }: { newestStart: number }) {
    this.#newestStart = newestStart;
  }

  add(
    reason: MergeReason,
    record: { readonly position: number; readonly isFood: () => boolean },
    example: () => string,
  ): void {
    this.#all.add(reason, example);
    if (record.position >= this.#newestStart && record.isFood()) this.#ofNewest.add(reason, example);
  }

  get report(): Pick<CompileReport, 'merged' | 'mergedOfNewest'> {
    return { merged: this.#all.all, mergedOfNewest: this.#ofNewest.all };
  }
}
