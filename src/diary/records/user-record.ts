import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import type { UserRecordKind } from '../../db/writer.ts';

/** The fields of a record that users write; its kind says which there are. */
export type RecordBody = Readonly<Record<string, unknown>>;

/** A record of a user, of one of the kinds in `record-kinds.ts`. */
export interface UserRecord {
  readonly id: string;
  /** 1 at creation, incremented by each change; 0 for a record that is always there and was never written. */
  readonly version: number;
  readonly body: RecordBody;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Makes the schema of an object within a record: closed and with a name of its own in bodies, open in responses. */
export type NamedObject = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.ZodObject<Shape>;

/**
 * The description of a kind of record. Its store, operations, feed objects, lines of exports and imports, erasure and limits follow from
 * it.
 */
export interface RecordKind {
  /** In the feed, the log, exports and the table. */
  readonly name: UserRecordKind;
  /** In reports of imports. */
  readonly plural: 'days' | 'favourites' | 'meals' | 'settings';
  /** Name of its schemas in the OpenAPI document. */
  readonly title: string;
  /**
   * `chosen`: ULIDs and UUIDs of clients or of the service. `date`: one for each day. `one`: a single one. Records of the last two are
   * always there: they are emptied rather than deleted, so that their versions never begin anew.
   */
  readonly ids: 'chosen' | 'date' | 'one';
  /** Code of the error for an id that no record has; absent where a record is always there. */
  readonly notFound?: 'favourite_not_found' | 'meal_not_found';
  /** Maximum records of a user. */
  readonly max: number;
  /** Only the user writes it, whoever else may write the diary. */
  readonly isPersonal?: true;
  readonly fields: (object: NamedObject) => z.ZodRawShape;
  /** Checks rules between fields, and returns the body as it is stored. Throws `invalid_request`. */
  readonly check?: (body: RecordBody) => RecordBody;
}

const inBodies: NamedObject = (id, shape) =>
  z.strictObject(shape).meta({ id: `${id}Input` }) as unknown as z.ZodObject<typeof shape>;
const inResponses: NamedObject = (id, shape) => z.object(shape).meta({ id });

/** The fields of a body that states a whole record. */
export function bodyFields({ fields }: RecordKind): z.ZodRawShape {
  return fields(inBodies);
}

/** The fields of a record in responses. */
export function answeredFields({ fields }: RecordKind): z.ZodRawShape {
  return fields(inResponses);
}

/** Whether a record is returned before the first write. */
export function isAlwaysThere({ ids }: RecordKind): boolean {
  return ids !== 'chosen';
}

/** Checks a body by the kind's schema and rules. Throws `invalid_request` that names the field. */
export function parseBody(kind: RecordKind, value: unknown): RecordBody {
  let schema = schemas.get(kind);
  if (schema === undefined) {
    schema = z.strictObject(bodyFields(kind));
    schemas.set(kind, schema);
  }
  const read = schema.safeParse(value);
  if (!read.success) {
    const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
    const field = path.map(String).join('.');
    throw new AppError({
      code: 'invalid_request',
      message: field === '' ? `${message}.` : `"${field}": ${message}.`,
      details: { fields: [field] },
    });
  }
  const body = withoutUndefined(read.data);
  return kind.check?.(body) ?? body;
}

const schemas = new Map<RecordKind, z.ZodObject>();

/** A body with the fields of a patch: null removes a field. */
export function patched(body: RecordBody, patch: RecordBody): RecordBody {
  const changed = Object.entries({ ...body, ...withoutUndefined(patch) });
  return Object.fromEntries(changed.filter(([, value]) => value !== null));
}

function withoutUndefined(fields: RecordBody): RecordBody {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
