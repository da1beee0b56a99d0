import { z } from 'zod';
import type { UserRecordKind } from '../../db/writer.ts';
import { isDay } from '../../diary/records/day.ts';
import { kindNamed } from '../../diary/records/record-kinds.ts';
import { parseBody, type RecordKind, type UserRecord } from '../../diary/records/user-record.ts';
import { readRecord, recordId, time, version } from './record-fields.ts';

/** A record of one of the kinds that descriptions define. */
export type DescribedRecord = UserRecord & { readonly kind: UserRecordKind };

const others = { version, createdAt: time, updatedAt: time };
const SCHEMAS = {
  chosen: z.looseObject({ id: recordId, ...others }),
  date: z
    .looseObject({ date: z.string().refine(isDay, 'is no date of the form YYYY-MM-DD'), ...others })
    .transform(({ date, ...fields }) => ({ id: date as string, ...fields })),
  one: z.looseObject(others).transform((fields) => ({ id: 'settings', ...fields })),
};

export function toDescribedRecord(of: UserRecordKind, record: UserRecord): object {
  const { ids } = kindNamed(of);
  const { id, version: changes, body, createdAt, updatedAt } = record;
  return {
    ...(ids === 'chosen' && { id }),
    ...(ids === 'date' && { date: id }),
    version: changes,
    ...body,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** Throws `invalid_request` that names the field. */
export function readDescribedRecord(kind: RecordKind, value: unknown): DescribedRecord {
  const { id, version: changes, createdAt, updatedAt, ...body } = readRecord(SCHEMAS[kind.ids], value);
  return { kind: kind.name, id, version: changes, body: parseBody(kind, body), createdAt, updatedAt };
}
