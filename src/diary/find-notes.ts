import { setImmediate as nextTurn } from 'node:timers/promises';
import { fold } from '@larder/core/words/tokenise.ts';
import type { Day, DayRange } from './records/day.ts';
import type { DiaryOwner } from './records/entry.ts';
import type { DiaryStore } from './store/diary-store.ts';
import type { DiaryNote, NotePosition } from './store/note-store.ts';

/** Notes that are read at a time, some milliseconds. */
const READ_AT_ONCE = 200;
/** Maximum notes that one request reads; a later one continues. */
const MAX_READ = 4_000;
/** Sorts after every note. */
export const AFTER_ALL_NOTES: NotePosition = { date: '~' as Day, id: '' };

export interface NoteSearch {
  readonly query: string;
  readonly range: DayRange;
  readonly before: NotePosition;
  readonly limit: number;
}

export interface FoundNotes {
  readonly notes: readonly DiaryNote[];
  /** The position from which a search continues; absent if all notes were read. */
  readonly next?: NotePosition | undefined;
}

/** The newest notes that contain all words of `query`, whatever their case and accents; all notes without words. */
export async function findNotes(
  store: DiaryStore,
  owner: DiaryOwner,
  { query, range, before, limit }: NoteSearch,
): Promise<FoundNotes> {
  const words = fold(query)
    .split(/\s+/u)
    .filter((word) => word !== '');
  const notes: DiaryNote[] = [];
  let position = before;
  for (let read = 0; read < MAX_READ; read += READ_AT_ONCE) {
    const page = await store.listNotes(owner, { range, before: position, limit: READ_AT_ONCE });
    for (const each of page) {
      const text = fold(`${each.note} ${each.foodName ?? ''}`);
      const isFound = each.note !== '' && words.every((word) => text.includes(word));
      if (isFound && notes.length === limit) return { notes, next: position };
      if (isFound) notes.push(each);
      position = { date: each.date, id: each.id };
    }
    if (page.length < READ_AT_ONCE) return { notes };
    await nextTurn();
  }
  return { notes, next: position };
}
