export type RandomBytes = (count: number) => Uint8Array;

/** The parts that identify a request which may be repeated. */
export interface NamedRequest {
  readonly tenant: string;
  /** Empty for a caller that acts for the whole tenant. */
  readonly userId: string;
  readonly idempotencyKey: string;
}

/** Time and randomness for the ids of everything that one request creates. */
export interface IdSource {
  readonly timeMs: number;
  readonly randomBytes: RandomBytes;
  /** Whether an earlier attempt may already have created objects with the same ids. */
  readonly mayExist: boolean;
  /** The request; a store can record with its writes that it is done. */
  readonly request?: NamedRequest;
  /** Whether that was recorded: objects that are missing were deleted since, and must not be written again. */
  readonly isDone?: boolean;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const INDEX_CHARACTERS = 4;
const CHANCE_CHARACTERS = 12;
/** The form of an id, as a pattern without anchors. */
export const ID_FORM = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const ID_PATTERN = new RegExp(`^${ID_FORM}$`);

/**
 * Ids in the form of a ULID (26 characters of Crockford's base 32): 10 for the time in ms, 4 for the position
 * in this call, 12 random (60 bits). They sort in the order of writing, so a day's list needs no other sort
 * key.
 */
export function createIds(count: number, timeMs: number, random: RandomBytes): string[] {
  const time = base32(timeMs, TIME_CHARACTERS);
  const bytes = random(count * CHANCE_CHARACTERS);
  const ids: string[] = [];
  for (let at = 0; ids.length < count; ) {
    let id = time + base32(ids.length, INDEX_CHARACTERS);
    for (const end = at + CHANCE_CHARACTERS; at < end; at++) id += CROCKFORD[bytes[at]! % 32];
    ids.push(id);
  }
  return ids;
}

/** Sorts before all ids created at `timeMs` or later, and after earlier ones. */
export function idsSince(timeMs: number): string {
  return base32(timeMs, TIME_CHARACTERS);
}

const POOL_BYTES = 3_000;

/** Draws many bytes at once for many small requests, since each draw costs as much as the rest of an id. */
export function pooled(random: RandomBytes): RandomBytes {
  let pool = new Uint8Array();
  return (count) => {
    if (count > pool.length) pool = random(Math.max(count, POOL_BYTES)) as Uint8Array<ArrayBuffer>;
    const taken = pool.subarray(0, count);
    pool = pool.subarray(count);
    return taken;
  };
}

const UUID_FORM = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const UPPER_UUID_FORM = UUID_FORM.replaceAll('a-f', 'A-F');
/** The form of record ids: an id of this service, or a UUID that a client chose, in one case. A pattern without anchors. */
export const RECORD_ID_FORM = `(?:${ID_FORM}|${UUID_FORM}|${UPPER_UUID_FORM})`;
const RECORD_ID_PATTERN = new RegExp(`^${RECORD_ID_FORM}$`);
const UPPER_UUID_PATTERN = new RegExp(`^${UPPER_UUID_FORM}$`);
/** Accepts an id in upper or lower case. */
export const WRITTEN_ID_PATTERN = new RegExp(
  `^(?:${ID_FORM.replaceAll('A-HJKMNP-TV-Z', 'A-HJKMNP-TV-Za-hjkmnp-tv-z')}|${UUID_FORM.replaceAll('a-f', 'A-Fa-f')})$`,
);

/** An id in one case, by which ids are compared: that of ids of this service, and lower case of UUIDs. Undefined for an invalid id. */
export function parseRecordId(written: string): string | undefined {
  const id = written.includes('-') ? written.toLowerCase() : written.toUpperCase();
  return RECORD_ID_PATTERN.test(id) ? id : undefined;
}

/**
 * The ids under which the object with this id may be stored, first that of a new one: a UUID in upper case is stored and answered as its
 * client wrote it, and equals the one in lower case. None for an invalid id, which need not be looked up.
 */
export function recordIdsOf(written: string): readonly string[] {
  const id = parseRecordId(written);
  if (id === undefined) return [];
  const upper = id.toUpperCase();
  if (!id.includes('-') || upper === id) return [id];
  return UPPER_UUID_PATTERN.test(written) ? [upper, id] : [id, upper];
}

/** What is found first under the ids under which an object may be stored. */
export async function findUnderId<T>(
  written: string,
  find: (id: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const id of recordIdsOf(written)) {
    const found = await find(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether it has the form of an id that this service creates. */
export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

function base32(value: number, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest = Math.floor(rest / 32)) {
    text = CROCKFORD[rest % 32] + text;
  }
  return text;
}
