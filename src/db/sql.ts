/** A statement as text with `$1`, `$2`, … for its values. */
export interface SqlText {
  /** Each connection prepares the statement once under this name. The text of a name never varies. */
  readonly name?: string | undefined;
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Runs statements and returns their rows, as objects with the names of the columns. */
export interface Queries {
  all<Row>(query: SqlText): Promise<readonly Row[]>;
  /**
   * Present where reading keeps the thread busy, so that long reads go in slices. All that `read` reads is one state of the
   * database. One such read runs at a time; those who wait take turns by their name. Throws a `BusyError` where too many of
   * that name wait.
   */
  inOneState?<T>(name: string, read: (db: Queries) => Promise<T>): Promise<T>;
}

/** The texts of prepared statements by their names, each with the number of its values. */
const preparedTexts = new Map<string, { readonly sql: string; readonly count: number }>();

/** A statement, or a part of one, that answers rows with the columns of `Row`. */
export class Sql<Row = unknown> {
  readonly #texts: readonly string[];
  /** Between the texts. */
  readonly #values: readonly unknown[];
  readonly #name: string | undefined;

  constructor(texts: readonly string[], values: readonly unknown[], name?: string) {
    this.#texts = texts;
    this.#values = values;
    this.#name = name;
  }

  /**
   * Has each connection prepare the statement once, under this name. For statements that run often and have one text,
   * whatever their values.
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

/** Takes in `${…}` a value, which never becomes a part of the text, or other `sql`, which does. */
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

/** Sets the columns of a row to its values; at least one. */
export function assigned(row: object): Sql {
  return list(Object.entries(row).map(([column, value]) => sql`${raw(column)} = ${value}`));
}
