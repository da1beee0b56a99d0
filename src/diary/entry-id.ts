import type { EntryId } from './entry.ts';

/** Fills the array with unpredictable bytes. */
export type RandomBytes = (bytes: Uint8Array) => void;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_CHARACTERS = 26;
const TIME_CHARACTERS = 10;
const INDEX_CHARACTERS = 4;
const ID_FORM = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * Ids in the form of a ULID (26 characters of Crockford's base 32): 10 of the time in ms, 4 of the position in
 * this call, 12 of chance (60 bits). They sort in the order of writing, so a day's list needs no other key.
 */
export function createEntryIds(count: number, timeMs: number, random: RandomBytes): EntryId[] {
  const time = base32(timeMs, TIME_CHARACTERS);
  const chance = new Uint8Array(ID_CHARACTERS - TIME_CHARACTERS - INDEX_CHARACTERS);
  return Array.from({ length: count }, (_, index) => {
    random(chance);
    let id = time + base32(index, INDEX_CHARACTERS);
    for (const byte of chance) id += CROCKFORD[byte % 32];
    return id as EntryId;
  });
}

/** Anything else cannot be the id of an entry, so it need not be looked up. */
export function isEntryId(text: string): text is EntryId {
  return ID_FORM.test(text);
}

function base32(value: number, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest = Math.floor(rest / 32)) {
    text = CROCKFORD[rest % 32] + text;
  }
  return text;
}
