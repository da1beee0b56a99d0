import type { Origin } from '@larder/core/food.ts';

/** A count of one reason, with an example. */
export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
  /** The first case: a food's key and name, or a position in a file and the text there. */
  readonly example: string;
}

export interface OutcomeCount {
  readonly count: number;
  readonly reasons: readonly ReasonCount[];
}

/**
 * The result of everything an import read: `read = kept + merged + known + skipped + broken`. `mended` counts
 * corrected foods among the kept and merged, each once, even if several reasons apply.
 */
export interface ImportReportJson {
  readonly origin: Origin;
  readonly files: readonly string[];
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly seconds: number;
  readonly read: number;
  /** Foods that this import added. */
  readonly kept: number;
  /** Foods merged with another of this or an earlier import. */
  readonly merged: OutcomeCount;
  readonly mended: OutcomeCount;
  /** Products without a required nutrient, which only a barcode look-up names. */
  readonly known: OutcomeCount;
  readonly skipped: OutcomeCount;
  readonly broken: OutcomeCount;
  /** Other findings, not part of the sum: rows without a food, missing parts. */
  readonly noticed: OutcomeCount;
}

const MAX_REASONS = 100;
const MAX_EXAMPLE_LENGTH = 160;
const OTHER_REASON = 'other reasons';

/** Counts the results of one import. */
export class ImportReport {
  readonly #tallies = {
    merged: new Tally(),
    mended: new Tally(),
    known: new Tally(),
    skipped: new Tally(),
    broken: new Tally(),
    noticed: new Tally(),
  };
  #foods = 0;

  /** A food was written to the segment, with these corrections. */
  food(mended: readonly string[], example: () => string): void {
    this.#foods++;
    if (mended.length > 0) this.#tallies.mended.add(mended, example);
  }

  known(reason: string, example: () => string): void {
    this.#tallies.known.add([reason], example);
  }

  skipped(reason: string, example: () => string): void {
    this.#tallies.skipped.add([reason], example);
  }

  broken(where: string, reason: string, text: string): void {
    this.#tallies.broken.add([reason], () => `${where}: ${text}`);
  }

  noticed(reason: string, example: string): void {
    this.#tallies.noticed.add([reason], () => example);
  }

  /** Findings of the compilation in this and earlier imports. */
  noticedMany({ reason, count, example }: ReasonCount): void {
    this.#tallies.noticed.addMany(reason, count, example);
  }

  /** Foods of the segment that were merged with others by compiling. */
  merged({ reason, count, example }: ReasonCount): void {
    this.#tallies.merged.addMany(reason, count, example);
  }

  /** Number of items read so far. */
  get read(): number {
    const { known, skipped, broken } = this.#tallies;
    return this.#foods + known.count + skipped.count + broken.count;
  }

  /** The reason why no item was usable; undefined if one was. */
  get whyNothing(): ReasonCount | undefined {
    const { known, skipped, broken } = this.#tallies;
    if (this.#foods + known.count > 0) return undefined;
    return [...broken.toJson().reasons, ...skipped.toJson().reasons][0];
  }

  toJson(run: Pick<ImportReportJson, 'origin' | 'files' | 'startedAt' | 'seconds'>): ImportReportJson {
    const { merged, mended, known, skipped, broken, noticed } = this.#tallies;
    return {
      ...run,
      read: this.read,
      kept: this.#foods - merged.count,
      merged: merged.toJson(),
      mended: mended.toJson(),
      known: known.toJson(),
      skipped: skipped.toJson(),
      broken: broken.toJson(),
      noticed: noticed.toJson(),
    };
  }
}

/** Counts by reason. */
class Tally {
  count = 0;
  readonly #reasons = new Map<string, { count: number; example: string }>();

  /** Counts one case for all of these reasons. */
  add(reasons: readonly string[], example: () => string): void {
    this.count++;
    for (const reason of reasons) this.#tally(reason, 1, example);
  }

  addMany(reason: string, count: number, example: string): void {
    this.count += count;
    this.#tally(reason, count, () => example);
  }

  toJson(): OutcomeCount {
    const reasons = [...this.#reasons].map(([reason, { count, example }]) => ({ reason, count, example }));
    return { count: this.count, reasons: reasons.sort((a, b) => b.count - a.count) };
  }

  #tally(reason: string, count: number, example: () => string): void {
    const seen = this.#reasons.get(reason);
    if (seen !== undefined) seen.count += count;
    else if (this.#reasons.size < MAX_REASONS || reason === OTHER_REASON) {
      this.#reasons.set(reason, { count, example: example().slice(0, MAX_EXAMPLE_LENGTH) });
    } else this.#tally(OTHER_REASON, count, example);
  }
}

/** The report as text for a terminal. */
export function formatImportReport(report: ImportReportJson): string {
  const lines = [
    `${report.origin}: ${report.files.join(', ') || 'no files'}`,
    row('read', report.read, `in ${report.seconds.toFixed(1)} s`),
    row('kept', report.kept),
    ...outcome('merged', report.merged),
    ...outcome('known only', report.known),
    ...outcome('skipped', report.skipped),
    ...outcome('broken', report.broken),
    ...outcome('mended', report.mended, 'among the kept and merged'),
    ...(report.noticed.count > 0
      ? outcome('noticed', report.noticed, 'in the files and beside earlier imports, apart from the sum')
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function outcome(label: string, { count, reasons }: OutcomeCount, note = ''): string[] {
  return [
    row(label, count, note),
    ...reasons.flatMap(({ reason, count: times, example }) => [
      `    ${formatCount(times)}  ${reason}`,
      `                  for example ${example}`,
    ]),
  ];
}

function row(label: string, count: number, note = ''): string {
  return `  ${label.padEnd(12)}${formatCount(count)}${note && `  ${note}`}`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US').padStart(12);
}
