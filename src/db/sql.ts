/** Runs statements that are put together; answers the rows that they return. */
export interface Queries {
  all<Row>(sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
}

/** A statement, or a part of one, that answers rows with the columns of `Row`. */
export class Sql<Row = unknown> {
  readonly #texts: readonly string[];
  /** Between the texts. */
  readonly #values: readonly unknown[];

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.#texts = texts;
    this.#values = values;
  }

  /** Its text has `$1`, `$2`, … in the places of the values. */
  compile(): { readonly sql: string; readonly values: readonly unknown[] } {
    const values: unknown[] = [];
    return { sql: this.#write(values), values };
  }

  all(db: Queries): Promise<readonly Row[]> {
    const { sql, values } = this.compile();
    return db.all<Row>(sql, values);
  }

  async first(db: Queries): Promise<Row | undefined> {
    return (await this.all(db))[0];
  }

  #write(values: unknown[]): string {
    const [first, ...others] = this.#texts;
    return others.reduce((text, next, at) => {
      const value = this.#values[at];
      return text + (value instanceof Sql ? value.#write(values) : `$${values.push(value)}`) + next;
    }, first!);
  }
}

/** What stands in `${…}` is a value, which never becomes a part of the text, or other `sql`, which does. */
export function sql<Row = unknown>(texts: TemplateStringsArray, ...values: readonly unknown[]): Sql<Row> {
  return new Sql<Row>(texts, values);
}

/** Text of our own, such as the name of a column. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** With commas in between; at least one. */
export function list(parts: readonly unknown[]): Sql {
  if (parts.length === 0) throw new RangeError('a list in SQL needs a part');
  return new Sql(['', ...parts.slice(1).map(() => ', '), ''], parts);
}
