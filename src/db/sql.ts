/** A statement as text with `$1`, `$2`, … for its values. */
export interface SqlText {
  /** Each connection prepares the statement once under this name. Statements with one name must have the same text. */
  readonly name?: string | undefined;
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Runs statements and returns their rows, as objects with the names of the columns. */
export interface Queries {
  all<Row>(query: SqlText): Promise<readonly Row[]>;
  /**
   * Present if reading occupies the thread, so that long reads run in slices. Everything that `read` reads is
   * from one state of the database. One such read runs at a time; users who wait take turns by their name.
   * Throws a `BusyError` if too many reads with that name wait.
   */
  inOneState?<T>(name: string, read: (db: Queries) => Promise<T>): Promise<T>;
}

/** The texts of prepared statements by their names, each with the number of its values. */
const preparedTexts = new Map<string, { readonly sql: string; readonly count: number }>();

/** A statement, or a part of one, that returns rows with the columns of `Row`. */
export class Sql<Row = unknown> {
  readonly #texts: readonly string[];
  /** Parts between the texts. */
  readonly #values: readonly unknown[];
  readonly #name: string | undefined;

  constructor(texts: readonly string[], values: readonly unknown[], name?: string) {
    this.#texts = texts;
    this.#values = values;
    this.#name = name;
  }

  /**
   * Makes each connection prepare the statement once, under this name. For frequent statements whose text
   * does not depend on their values.
   */
  prepared(name: string): Sql<Row> {
    return new Sql<Row>(this.#texts, this.#values, name);
  }

  compile(): SqlText {
    const name = this.#name;
    const values: unknown[] = [];
    if (name === undefined) return { sql: this.#write(values).trim(), values };
    this.#collect(values);
    let known = preparedTexts.get(name);
    if (known === undefined) {
      known = { sql: this.#write([]).trim(), count: values.length };
      preparedTexts.set(name, known);
    }
    if (values.length !== known.count) throw new RangeError(`the text of the statement ${name} varies`);
    return { name, sql: known.sql, values };
  }

  all(db: Queries): Promise<readonly Row[]> {
    return db.all<Row>(this.compile());
  }

  async first(db: Queries): Promise<Row | undefined> {
    return (await this.all(db))[0];
  }

  #collect(values: unknown[]): void {
    for (const value of this.#values)
      if (value instanceof Sql) value.#collect(values);
      else values.push(value);
  }

  #write(values: unknown[]): string {
    const [first, ...others] = this.#texts;
    return others.reduce((text, next, at) => {
      const value = this.#values[at];
      return text + (value instanceof Sql ? value.#write(values) : `$${values.push(value)}`) + next;
    }, first!);
  }
}

/**
 * `${…}` takes a value, which becomes a parameter and never a part of the text, or other `sql`, which becomes
 * a part of it.
 */
export function sql<Row = unknown>(texts: TemplateStringsArray, ...values: readonly unknown[]): Sql<Row> {
  return new Sql<Row>(texts, values);
}

/** Trusted text, such as the name of a column. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** Joins with commas; needs at least one element. */
export function list(parts: readonly unknown[]): Sql {
  if (parts.length === 0) throw new RangeError('a list in SQL needs a part');
  return new Sql(['', ...parts.slice(1).map(() => ', '), ''], parts);
}

/** Sets columns of a row to values; needs at least one. */
export function assigned(row: object): Sql {
  return list(Object.entries(row).map(([column, value]) => sql`${raw(column)} = ${value}`));
}
