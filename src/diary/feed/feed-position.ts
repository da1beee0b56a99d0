import { hash } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { isDay } from '../records/day.ts';
import type { DiaryOwner } from '../records/entry.ts';
import type { EntryPosition } from '../store/diary-store.ts';
import type { RecordPosition } from '../store/record-store.ts';

/** The next part of a diary to read, before following its log: recipes, then goals, measurements, records and entries. */
export type DiaryReading =
  | { readonly kind: 'recipe'; readonly after: string }
  | { readonly kind: 'goals' }
  | { readonly kind: 'measurement'; readonly after: string }
  | { readonly kind: 'record'; readonly after: RecordPosition }
  | { readonly kind: 'entry'; readonly after?: EntryPosition | undefined };

/**
 * The position of a reader in one log. `reading` is present until all objects that existed at the beginning
 * have been read.
 */
export interface LogPosition<Reading> {
  /** The log is followed after this number; 0 without a log, and so without anything else to read. */
  readonly seq: number;
  readonly reading?: Reading | undefined;
}

/** The position of a reader in the feed of a user. */
export interface FeedPosition {
  readonly diary: LogPosition<DiaryReading>;
  /** Absent until foods are read. `reading`: after this id. */
  readonly foods?: LogPosition<string> | undefined;
}

/** The format of cursors. */
export const CURSOR_FORM = '[A-Za-z0-9_-]{20,300}';

const VERSION = '1';
const SEPARATOR = '~';
const NUMBER = /^[0-9a-z]{1,11}$/;
/** The id of a record; null at the beginning. */
const ID = /^[0-9A-Za-z-]{0,40}$/;
/** The name of a kind of record; null at the beginning. */
const KIND = /^[a-z]{0,20}$/;
const AFTER_FOOD = /^>[A-Za-z0-9:._-]{0,80}$/;
const NOTHING = '-';
const KEY_CHARACTERS = 16;

/** The cursor of a position. It is valid only for this owner's feed, and only while the database has this epoch. */
export function toCursor(position: FeedPosition, owner: DiaryOwner, epoch: string): string {
  const { diary, foods } = position;
  const parts = [
    VERSION,
    keyOf(owner, epoch),
    diary.seq.toString(36),
    diaryReadingText(diary.reading),
    foods === undefined ? NOTHING : foods.seq.toString(36),
    foods?.reading === undefined ? NOTHING : `>${foods.reading}`,
  ];
  return Buffer.from(parts.join(SEPARATOR)).toString('base64url');
}

/** Throws `cursor_expired` for the cursor of another epoch, owner or version, and for an invalid cursor. */
export function parseCursor(cursor: string, owner: DiaryOwner, epoch: string): FeedPosition {
  const parts = Buffer.from(cursor, 'base64url').toString('latin1').split(SEPARATOR);
  const [version, key, seq, reading, foodsSeq, foodsReading] = parts;
  if (version !== VERSION || parts.length !== 6 || key !== keyOf(owner, epoch)) throw cursorExpired();
  const diary = parseDiary(seq!, reading!);
  const foods = parseFoods(foodsSeq!, foodsReading!);
  if (diary === undefined || foods === null) throw cursorExpired();
  return { diary, foods };
}

export function cursorExpired(): AppError {
  return new AppError({
    code: 'cursor_expired',
    message: 'The feed no longer reaches back to this cursor; begin again without "after".',
  });
}

function keyOf({ tenant, userId }: DiaryOwner, epoch: string): string {
  return hash('sha256', JSON.stringify([epoch, tenant, userId]), 'base64url').slice(0, KEY_CHARACTERS);
}

function diaryReadingText(reading: DiaryReading | undefined): string {
  if (reading === undefined) return NOTHING;
  if (reading.kind === 'goals') return 'g';
  if (reading.kind === 'recipe') return `r${reading.after}`;
  if (reading.kind === 'measurement') return `m${reading.after}`;
  if (reading.kind === 'record') return `k${reading.after.kind}.${reading.after.id}`;
  return reading.after === undefined ? 'e' : `e${reading.after.date}.${reading.after.id}`;
}

function parseDiary(seq: string, text: string): LogPosition<DiaryReading> | undefined {
  const number = parseNumber(seq);
  if (number === undefined) return undefined;
  if (text === NOTHING) return { seq: number };
  const rest = text.slice(1);
  if (text === 'g') return { seq: number, reading: { kind: 'goals' } };
  if (text.startsWith('r') && ID.test(rest)) return { seq: number, reading: { kind: 'recipe', after: rest } };
  if (text.startsWith('m') && ID.test(rest))
    return { seq: number, reading: { kind: 'measurement', after: rest } };
  if (text === 'e') return { seq: number, reading: { kind: 'entry' } };
  const [date = '', id = ''] = rest.split('.');
  if (text.startsWith('k') && KIND.test(date) && ID.test(id))
    return { seq: number, reading: { kind: 'record', after: { kind: date, id } } };
  if (!text.startsWith('e') || !isDay(date) || !ID.test(id)) return undefined;
  return { seq: number, reading: { kind: 'entry', after: { date, id } } };
}

/** Undefined if no foods were read yet, null for an invalid position. */
function parseFoods(seq: string, text: string): LogPosition<string> | undefined | null {
  if (seq === NOTHING) return text === NOTHING ? undefined : null;
  const number = parseNumber(seq);
  if (number === undefined) return null;
  if (text === NOTHING) return { seq: number };
  return AFTER_FOOD.test(text) ? { seq: number, reading: text.slice(1) } : null;
}

function parseNumber(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number.parseInt(text, 36) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
