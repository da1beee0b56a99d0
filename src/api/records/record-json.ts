import { z } from 'zod';
import {
  answeredFields,
  isAlwaysThere,
  type RecordKind,
  type UserRecord,
} from '../../diary/records/user-record.ts';
import { isoTime, recordVersion } from '../fields.ts';
import { dateText } from '../text-schemas.ts';

/** The field that a kind's records are named by. */
const ID_FIELDS = { chosen: 'id', date: 'date', one: undefined } as const;

/** A record as in responses, exports and the feed: a day has its date, a record that is the only one no id. */
export function recordObject({ ids }: RecordKind, record: UserRecord, userId: string) {
  const { id, version, body, createdAt, updatedAt } = record;
  const named = ID_FIELDS[ids];
  return {
    ...(named && { [named]: id }),
    version,
    userId,
    ...body,
    ...(version > 0 && { createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) }),
  };
}

/** Describes `recordObject`. */
export function recordSchema(kind: RecordKind) {
  const known = schemas.get(kind);
  if (known !== undefined) return known;
  const isThere = isAlwaysThere(kind);
  const time = z.iso.datetime();
  const named = { chosen: { id: z.string() }, date: { date: dateText }, one: {} }[kind.ids];
  const schema = z
    .object({
      ...named,
      version: isThere
        ? z.int().min(0).describe('0 before the first change. Send it in quotes as `If-Match`.')
        : recordVersion,
      userId: z.string(),
      ...answeredFields(kind),
      createdAt: isThere ? time.optional() : time,
      updatedAt: isThere ? time.optional() : time,
    })
    .meta({ id: kind.title });
  schemas.set(kind, schema);
  return schema;
}

const schemas = new Map<RecordKind, z.ZodObject>();
