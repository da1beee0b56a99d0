const FIRST_DAY = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;
/** Entries that are written to a day before the next one begins, so that lists stay short. */
const DAY_ENTRIES = 40;

export interface Written {
  readonly date: string;
  /** Unlike all others. */
  readonly mark: string;
}

/** An entry as a list shows it, as far as it is of interest. */
export interface Listed {
  readonly foodName: string;
}

/** What the victim was told is written down. */
export class DiaryLog {
  readonly #confirmed = new Map<string, Set<string>>();
  #next = 0;

  /** The next thing to write. */
  next(): Written {
    const day = Math.floor(this.#next / DAY_ENTRIES);
    return {
      date: new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length),
      mark: `meal ${this.#next++}`,
    };
  }

  confirm({ date, mark }: Written): void {
    const marks = this.#confirmed.get(date) ?? new Set();
    this.#confirmed.set(date, marks.add(mark));
  }

  get dates(): readonly string[] {
    return [...this.#confirmed.keys()];
  }

  get count(): number {
    return this.dates.reduce((sum, date) => sum + this.#confirmed.get(date)!.size, 0);
  }

  /** What this list of a day lacks, or has twice. */
  problems(date: string, listed: readonly Listed[]): string[] {
    const names = listed.map(({ foodName }) => foodName);
    const lost = [...(this.#confirmed.get(date) ?? [])].filter((mark) => !names.includes(mark));
    const doubled = names.filter((name, at) => names.indexOf(name) !== at);
    return [
      ...lost.map((mark) => `${date}: ${mark} was confirmed and is lost`),
      ...doubled.map((mark) => `${date}: ${mark} is there twice`),
    ];
  }
}
