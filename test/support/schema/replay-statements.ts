import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** Statements of one version in order, with the number of rows that each found or wrote. */
export interface KeptStatement {
  readonly by: string;
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rows: number | null;
}

/** A statement a line; bytes as an object with hexadecimal digits. */
export function formatStatements(statements: readonly KeptStatement[]): string {
  const bytes = (value: unknown) =>
    value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value;
  return statements
    .map((each) => `${JSON.stringify({ ...each, values: each.values.map(bytes) })}\n`)
    .join('');
}

export function readStatements(file: URL): KeptStatement[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) =>
    JSON.parse(line, (_, value) => (typeof value?.hex === 'string' ? Buffer.from(value.hex, 'hex') : value)),
  );
}

/** Sends them in order and returns the number of rows of each. */
export async function replay(
  client: pg.Client,
  statements: readonly Pick<KeptStatement, 'by' | 'name' | 'text' | 'values'>[],
): Promise<(number | null)[]> {
  const counts: (number | null)[] = [];
  for (const { by, name, text, values } of statements) {
    try {
      const query = { text, values: [...values], ...(name !== undefined && { name }) };
      counts.push((await client.query(query)).rowCount);
    } catch (cause) {
      throw new Error(`${by}: ${text}`, { cause });
    }
  }
  return counts;
}
