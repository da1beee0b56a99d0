import { MAIN_AMOUNTS, OTHER_AMOUNTS } from '../../diary/records/entry.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';
import type { Table } from '../../foods/import/table/delimited-table.ts';
import type { Reading } from '../import/reading.ts';
import { readEntryRecord } from '../records/entry-record.ts';
import { unguardFormula } from '../tables/formulas.ts';

const NUMBERS: ReadonlySet<string> = new Set([...MAIN_AMOUNTS, ...OTHER_AMOUNTS, 'quantity']);
const OTHERS: ReadonlySet<string> = new Set(OTHER_AMOUNTS);
const NEEDED = ['id', 'date', 'mealType', 'foodName', 'createdAt'];

/** Reads the diary's own export as CSV. */
export function readOwnTable({ rows }: Table, reading: Reading): void {
  const headings = (rows[0]?.cells ?? []).map((heading) => heading.trim());
  if (!NEEDED.every((heading) => headings.includes(heading)))
    throw invalidField(
      'format',
      `The file is no export of the diary: it needs the columns ${NEEDED.join(', ')}.`,
    );
  for (const { line, cells, problem } of rows.slice(1)) {
    if (problem !== undefined || cells.length !== headings.length) {
      const count = `The row has ${cells.length} cells, and the headings are ${headings.length}.`;
      reading.refuse('entries', line, invalidField('', problem ?? count));
      continue;
    }
    const record: Record<string, unknown> = {};
    const nutrients: Record<string, unknown> = {};
    for (const [at, heading] of headings.entries()) {
      const cell = cells[at]!;
      if (cell === '') continue;
      const value = NUMBERS.has(heading) ? Number(cell) : unguardFormula(cell);
      if (OTHERS.has(heading)) nutrients[heading] = value;
      else record[heading] = value;
    }
    if (Object.keys(nutrients).length > 0) record['nutrients'] = nutrients;
    reading.add('entries', line, () => readEntryRecord(record));
  }
}
