import { z } from 'zod';
import { toGoalFields } from '../../diary/records/goals.ts';
import { RECORD_KINDS } from '../../own-data/import/reading.ts';
import { IMPORT_FORMATS } from '../../own-data/import-options.ts';
import { toDescribedRecord } from '../../own-data/records/described-record.ts';
import { toEntryRecord } from '../../own-data/records/entry-record.ts';
import { toRecipeRecord } from '../../own-data/records/recipe-record.ts';
import { toFoodRecord, toMeasurementRecord } from '../../own-data/records/record-fields.ts';
import type { ImportOutcome } from '../../own-data/user-imports.ts';
import type { Outcome } from '../operation.ts';

/** Maximum records that a response shows with their interpretation. */
const MAX_SHOWN = 20;

const count = z.int().min(0);
const counts = z
  .object({
    found: count.describe('Records of the file.'),
    added: count.describe('Written; in a preview those that would be.'),
    present: count.describe('There already, by their ids: they stay as they are.'),
    deleted: count.describe('Deleted since an earlier import: they stay deleted.'),
    refused: count.describe('With a problem.'),
    left: count.describe('Not tried, since a quota was reached.'),
  })
  .meta({ id: 'ImportCounts' });

/** Describes the value of `importOutcome`. */
export const importSchema = z
  .object({
    format: z.enum([...IMPORT_FORMATS, 'foods']).meta({ id: 'ImportFormat' }),
    preview: z.boolean().describe('Whether nothing was written.'),
    foods: counts,
    recipes: counts,
    goals: counts,
    measurements: counts,
    entries: counts,
    records: counts.describe('Notes on days, favourites, saved meals and settings.'),
    from: z.string().optional().describe('The first day with an entry in the file.'),
    to: z.string().optional().describe('The last one.'),
    shown: z
      .array(
        z
          .object({
            line: count.describe('Line of the file, or element of the JSON array, from 1.'),
            kind: z.enum(RECORD_KINDS),
            record: z.record(z.string(), z.unknown()).describe('As it was understood.'),
          })
          .meta({ id: 'ImportedRecord' }),
      )
      .describe(`The first ${MAX_SHOWN} records.`),
    ignoredColumns: z.array(z.string()).describe('Columns that say nothing that is kept.'),
    notes: z.array(z.string()).describe('Notes on what was assumed, repaired or left out.'),
    problems: z
      .array(
        z
          .object({
            line: count,
            column: z.string().optional().describe('The heading of the column, or the field.'),
            message: z.string(),
          })
          .meta({ id: 'ImportProblem' }),
      )
      .describe('The first 200, by line.'),
    problemCount: count,
    stopped: z
      .object({ code: z.string(), message: z.string() })
      .meta({ id: 'ImportStop' })
      .optional()
      .describe('Why records are left. Send the file again when there is room: nothing is written twice.'),
  })
  .meta({ id: 'ImportResult' });

export const EXAMPLE_IMPORT = {
  format: 'larder',
  preview: true,
  ...Object.fromEntries(
    RECORD_KINDS.map((kind) => [
      kind,
      {
        found: kind === 'entries' ? 1 : 0,
        added: kind === 'entries' ? 1 : 0,
        present: 0,
        deleted: 0,
        refused: 0,
        left: 0,
      },
    ]),
  ),
  from: '2026-01-31',
  to: '2026-01-31',
  shown: [],
  ignoredColumns: [],
  notes: [],
  problems: [],
  problemCount: 0,
};

export function importOutcome(
  { format, reading, written, stopped }: ImportOutcome,
  preview: boolean,
): Outcome {
  const { foods, recipes, goals, measurements, entries, records } = reading.records;
  let from: string | undefined;
  let to: string | undefined;
  for (const { record } of entries) {
    if (from === undefined || record.date < from) from = record.date;
    if (to === undefined || record.date > to) to = record.date;
  }
  const shown = [
    ...foods
      .slice(0, MAX_SHOWN)
      .map(({ line, record }) => ({ line, kind: 'foods', record: toFoodRecord(record) })),
    ...recipes
      .slice(0, MAX_SHOWN)
      .map(({ line, record }) => ({ line, kind: 'recipes', record: toRecipeRecord(record) })),
    ...goals
      .slice(0, MAX_SHOWN)
      .map(({ line, record }) => ({ line, kind: 'goals', record: toGoalFields(record) })),
    ...measurements
      .slice(0, MAX_SHOWN)
      .map(({ line, record }) => ({ line, kind: 'measurements', record: toMeasurementRecord(record) })),
    ...entries
      .slice(0, MAX_SHOWN)
      .map(({ line, record }) => ({ line, kind: 'entries', record: toEntryRecord(record) })),
    ...records
      .slice(0, MAX_SHOWN)
      .map(({ line, record }) => ({ line, kind: 'records', record: toDescribedRecord(record.kind, record) })),
  ].slice(0, MAX_SHOWN);
  const { ignoredColumns, notes, problemCount } = reading;
  const problems = reading.problems.toSorted((a, b) => a.line - b.line);
  return {
    value: {
      format,
      preview,
      ...written,
      from,
      to,
      shown,
      ignoredColumns,
      notes,
      problems,
      problemCount,
      stopped,
    },
  };
}
