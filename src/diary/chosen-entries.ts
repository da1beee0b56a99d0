import { ConstraintError } from '@larder/core/errors.ts';
import { type NamedRequest, recordIdsOf } from '../base/time-ordered-id.ts';
import { wasDeleted } from './diary-errors.ts';
import type { EntryInput } from './entry-input.ts';
import type { Day } from './records/day.ts';
import type { DiaryEntry, DiaryOwner } from './records/entry.ts';
import { inElement, invalidField } from './records/invalid-field.ts';
import type { DiaryStore } from './store/diary-store.ts';

/** Maximum attempts at adding entries that another request adds or deletes concurrently. */
const MAX_ATTEMPTS = 20;

export type NewEntry = Omit<DiaryEntry, 'id' | 'version' | 'createdAt' | 'updatedAt'> & {
  readonly date: Day;
};

/** An entry with its position in the request. */
export type NumberedInput = readonly [number, EntryInput];

export interface WrittenEntries {
  readonly entries: DiaryEntry[];
  /** Whether any of them was added. */
  readonly isNew: boolean;
}

export interface ChosenEntriesPorts {
  readonly store: DiaryStore;
  readonly nowMs: () => number;
  /** Makes the entry of each input. */
  readonly make: (inputs: readonly NumberedInput[]) => Promise<readonly NewEntry[]>;
  readonly request: NamedRequest | undefined;
  /** Whether an error names the element. */
  readonly isList: boolean;
}

/** The ids that the client chose for its entries; undefined for entries without one. */
export function chosenIds(inputs: readonly EntryInput[]): readonly string[] | undefined {
  const ids = inputs.flatMap(({ id }) => (id === undefined ? [] : (recordIdsOf(id)[0] ?? [])));
  if (ids.length === 0) return undefined;
  if (ids.length === inputs.length && new Set(ids.map(keyOf)).size === ids.length) return ids;
  throw invalidField('id', 'Give each entry an "id" of its own, or none of them.');
}

/** Adds the entries whose ids do not exist, and returns existing ones unchanged. Throws `deleted`. */
export async function writeChosen(
  owner: DiaryOwner,
  inputs: readonly EntryInput[],
  ids: readonly string[],
  { store, nowMs, make, request, isList }: ChosenEntriesPorts,
): Promise<WrittenEntries> {
  for (let attempt = 1; ; attempt++) {
    const known = new Map<string, DiaryEntry>();
    const remember = (entries: readonly DiaryEntry[]) => {
      for (const entry of entries) known.set(keyOf(entry.id), entry);
    };
    remember(await store.findEntries(owner, ids));
    const inOtherCase = ids.filter((id) => !known.has(keyOf(id))).flatMap((id) => recordIdsOf(id).slice(1));
    remember(await store.findEntries(owner, inOtherCase));
    const missing = [...inputs.entries()].filter(([at]) => !known.has(keyOf(ids[at]!)));
    const asked = missing.map(([at]) => ids[at]!);
    const deleted = new Set<string>();
    for (const each of [asked, asked.flatMap((id) => recordIdsOf(id).slice(1))])
      for (const id of await store.findDeleted(owner, 'entry', each)) deleted.add(keyOf(id));
    const refused = missing.find(([at]) => deleted.has(keyOf(ids[at]!)));
    if (refused !== undefined) throw isList ? inElement(refused[0], wasDeleted()) : wasDeleted();
    if (missing.length > 0) {
      const made = await make(missing);
      const now = nowMs();
      const times = { version: 1, createdAt: now, updatedAt: now };
      const added = asked.map((id, at): DiaryEntry => ({ ...made[at]!, id, ...times }));
      try {
        await store.addEntries(owner, added, request, now);
      } catch (error) {
        if (!(error instanceof ConstraintError) || attempt === MAX_ATTEMPTS) throw error;
        continue;
      }
      remember(added);
    }
    return { entries: ids.map((id) => known.get(keyOf(id))!), isNew: missing.length > 0 };
  }
}

/** Ids are equal without case. */
function keyOf(id: string): string {
  return id.toLowerCase();
}
