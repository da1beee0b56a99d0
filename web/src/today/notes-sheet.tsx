import { useSignal } from '@preact/signals';
import type { DiaryNote } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { folded } from '../add/recents.ts';
import { dateOf } from '../days.ts';
import { diary } from '../diary/shown-diary.ts';
import { larder } from '../larder.ts';
import { local } from '../offline/device.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { showDay } from './day-store.ts';

const MAX_NOTES = 50;

/** Finds the days whose notes have some words; a tap leads to the day. */
export function NotesSheet({ onClose }: { readonly onClose: () => void }) {
  const { searchNotes, words, noNotes } = texts.value.dayExtras;
  const query = useSignal('');
  const found = useSignal<readonly DiaryNote[] | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    const leaving = new AbortController();
    find(query.value, leaving.signal).then(
      (notes) => {
        found.value = notes;
        problem.value = '';
      },
      (error) => {
        if (!leaving.signal.aborted) problem.value = problemOf(error);
      },
    );
    return () => leaving.abort();
  }, [query.value]);
  return (
    <Sheet title={searchNotes} onClose={onClose}>
      <label>
        {words}
        <input
          type="search"
          value={query.value}
          maxLength={200}
          onInput={({ currentTarget }) => setTo(query, currentTarget.value)}
        />
      </label>
      <Problem text={problem.value} />
      {found.value?.length === 0 && (
        <p class="empty" role="status">
          {noNotes}
        </p>
      )}
      <ul class="rows">
        {found.value?.map(({ date, entryId, note, foodName }) => (
          <li key={`${date} ${entryId}`}>
            <button
              type="button"
              class="row"
              onClick={() => {
                showDay(date);
                onClose();
              }}
            >
              <span class="entry-name">{note}</span>
              <span class="entry-quantity">
                {dateOf(date, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })}
                {foodName !== undefined && ` · ${foodName}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

/** Notes of all days by the service; without it those that this device keeps. */
async function find(query: string, signal: AbortSignal): Promise<readonly DiaryNote[]> {
  const of = diary.peek()!;
  try {
    const q = query.trim();
    const asked = { limit: MAX_NOTES, ...(q !== '' && { q }) };
    return await larder.user(of.userId).diary.notes(asked, { signal, maxRetries: 0 });
  } catch (error) {
    if (!of.isKept || signal.aborted) throw error;
    const { copy } = local();
    const wanted = folded(query).split(' ').filter(Boolean);
    const days = (await copy.all('day')).map(({ date, note }) => ({ date, note }));
    const entries = (await copy.all('entry')).map(({ id, date, note, foodName, mealType }) => ({
      ...{ date, note, entryId: id, foodName, mealType },
    }));
    return [...days, ...entries]
      .filter((each): each is DiaryNote => {
        const text = folded(`${each.note ?? ''} ${'foodName' in each ? each.foodName : ''}`);
        return each.note !== undefined && wanted.every((word) => text.includes(word));
      })
      .toSorted((a, b) => (a.date < b.date ? 1 : -1))
      .slice(0, MAX_NOTES);
  }
}
