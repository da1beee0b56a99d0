import { OperatorError } from '@larder/core/errors.ts';
import { REQUIRED_NUTRIENTS, STATED_NUTRIENTS } from '@larder/core/nutrients.ts';
import { type CompositionOrigin, toCompositionFood } from './composition-food.ts';
import type { RawFoodSink, RawNutrients } from './normalise/raw-food.ts';
import { DelimitedReader } from './readers/delimited.ts';
import type { DelimitedRow } from './readers/delimited-fields.ts';
import { type ReadOptions, readSourceFile, type SourceFile, truncatedFile } from './readers/source-file.ts';
import { asUtf8 } from './readers/utf8.ts';

/**
 * The columns of the published tables in English, French and German; spaces and line breaks count as one space. Ciqual:
 * https://ciqual.anses.fr, BLS: https://blsdb.de.
 */
const COLUMNS = {
  code: /^(alim_code|bls code)$/,
  name: /^(alim_nom_eng|food name)$/,
  otherName: /^(alim_nom_fr|lebensmittelbezeichnung)$/,
} as const;
const NUTRIENT_COLUMNS = STATED_NUTRIENTS.flatMap(({ key, unit, ciqual, bls }) => {
  const written = unit === 'ug' ? '[µμu]g' : unit;
  return ciqual === undefined
    ? []
    : [[key, new RegExp(`^(?:${ciqual}) ?\\(${written}|^${bls}\\b.*\\[${written}`)] as const];
});

/** The language of the column `otherName`. */
const OWN_LANGUAGE: Readonly<Record<CompositionOrigin, string>> = { ciqual: 'fr', bls: 'de' };

const DELIMITERS = ['\t', ';', ','] as const;
const SAMPLE_BYTES = 4_000;

interface Columns {
  readonly code: string;
  readonly name: string;
  readonly otherName: string | undefined;
  readonly nutrients: ReadonlyArray<readonly [keyof RawNutrients, column: string]>;
}

/** Reads a published table saved as CSV: with commas, semicolons or tabs, and decimal points or commas. */
export async function readCompositionTable(
  file: SourceFile,
  origin: CompositionOrigin,
  sink: RawFoodSink,
  { onBytesRead, signal }: ReadOptions,
): Promise<void> {
  let found: Columns | undefined;
  // The columns are filled when the header is known, before the reader looks for them.
  const columns: string[] = [];
  const reader = new DelimitedReader<string>({
    delimiter: delimiterOf(file.head.toString('utf8', 0, SAMPLE_BYTES)),
    quoted: true,
    columns,
    onHeader(names) {
      found = findColumns(file, names);
      const { code, name, otherName, nutrients } = found;
      columns.push(
        code,
        name,
        ...(otherName === undefined ? [] : [otherName]),
        ...nutrients.map(([, column]) => column),
      );
    },
    onRow: (row) => readRow(row, found!, origin, sink),
    onBroken: (line, reason, example) => sink.broken(`${file.name}:${line}`, reason, example),
  });
  for await (const chunk of asUtf8(file.name, readSourceFile(file, onBytesRead, signal), sink))
    reader.push(chunk);
  if (!reader.end()) throw truncatedFile(file.path);
}

function readRow(
  row: DelimitedRow<string>,
  { code, name, otherName, nutrients }: Columns,
  origin: CompositionOrigin,
  sink: RawFoodSink,
): void {
  const per100: RawNutrients = {};
  for (const [nutrient, column] of nutrients) {
    const amount = amountOf(row.text(column));
    if (amount !== undefined) per100[nutrient] = amount;
  }
  const own = OWN_LANGUAGE[origin];
  const names = [
    { text: row.text(name), language: COLUMNS.name.test(columnKey(name)) ? 'en' : own },
    { text: otherName === undefined ? '' : row.text(otherName), language: own },
  ];
  const food = toCompositionFood({ origin, code: row.text(code), names, per100 });
  if (food === undefined) sink.skipped('no name', row.text(code));
  else sink.food(food);
}

/** Parses "0,63", "< 0.5" and "traces" (too little to measure: 0), "-" for unknown. */
function amountOf(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed.startsWith('<') || trimmed === 'traces') return 0;
  return /^\d+(?:[.,]\d+)?$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : undefined;
}

/** The most frequent delimiter, since names of columns contain commas too. */
function delimiterOf(start: string): (typeof DELIMITERS)[number] {
  const countOf = (delimiter: string) => start.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}

function columnKey(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, ' ');
}

function findColumns(file: SourceFile, names: readonly string[]): Columns {
  const find = (pattern: RegExp) => names.find((name) => pattern.test(columnKey(name)));
  const [code, ownName, otherName] = [COLUMNS.code, COLUMNS.name, COLUMNS.otherName].map(find);
  const name = ownName ?? otherName;
  const nutrients = NUTRIENT_COLUMNS.flatMap(([nutrient, pattern]) => {
    const column = find(pattern);
    return column === undefined ? [] : [[nutrient, column] as const];
  });
  const missing = REQUIRED_NUTRIENTS.filter((nutrient) => !nutrients.some(([found]) => found === nutrient));
  if (code !== undefined && name !== undefined && missing.length === 0) {
    return { code, name, otherName: otherName === name ? undefined : otherName, nutrients };
  }
  throw new OperatorError(
    `${file.path} is not a composition table: its first line must be that of Ciqual ("alim_code", "alim_nom_eng", "Protein (g/100g)", …) or ` +
      `BLS ("BLS Code", "Food name", "PROT625 Protein (Nx6,25) [g/100g]", …). It begins with ${JSON.stringify(names.join(', ').slice(0, 120))}.`,
  );
}
