import { signal, useSignalEffect } from '@preact/signals';
import type { ParsedText } from 'larder-client';
import { useLocation } from 'preact-iso';
import { person, viewPerson } from '../account/session.ts';
import { closeAdd, goOn, meal } from '../add/dialog-state.ts';
import { query } from '../add/query.ts';
import { listOf } from '../days.ts';
import { otherName } from '../diary/shown-diary.ts';
import { larder, pathTo } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { day } from '../today/day-store.ts';
import type { KeptText } from './database.ts';
import { changed, isReached, keptTexts, local } from './device.ts';
import { newId } from './ids.ts';

/** Keeps what is typed until the service can read it. */
export function KeepText() {
  const { offline } = texts.value;
  const text = query.value.trim();
  // What is kept is for the own diary.
  if (isReached.value || !text.includes(' ') || otherName.value !== undefined) return null;
  const keepText = async () => {
    try {
      await local().copy.keepText({ id: newId(), date: day.peek(), mealType: meal.peek()!, text });
    } catch (error) {
      return tell(problemOf(error));
    }
    query.value = '';
    closeAdd();
    changed();
    tell(offline.textKept);
  };
  return (
    <button type="button" class="keep-text" onClick={() => void keepText()}>
      {offline.keepText}
    </button>
  );
}

/** What the service read of the kept texts, by their ids. */
const readings = signal<ReadonlyMap<string, ParsedText>>(new Map());

/** Reads what was kept once the service is back; a person confirms it. What cannot be read now is read on the next change. */
async function readKept(kept: readonly KeptText[]): Promise<void> {
  for (const { id, text } of kept) {
    if (readings.peek().has(id)) continue;
    const userId = person.peek()!.id;
    try {
      const read = await larder.foods.parse({ text, context: 'meal', userId }, { maxRetries: 0 });
      readings.value = new Map([...readings.peek(), [id, read]]);
    } catch {
      return;
    }
  }
}

/** The names of the foods that were found. */
function namesOf({ items }: ParsedText): string {
  return listOf(items.flatMap(({ food }) => food?.name ?? []));
}

/** The texts that were kept: read as soon as the service is there, each with the way to its rows. */
export function KeptTexts() {
  const { route } = useLocation();
  const { offline, meals } = texts.value;
  useSignalEffect(() => {
    if (isReached.value && keptTexts.value.length > 0) void readKept(keptTexts.value);
  });
  if (keptTexts.value.length === 0) return null;
  const discard = async (id: string) => {
    await local().copy.discardText(id);
    changed();
  };
  return (
    <ul class="kept-texts" aria-label={offline.keptTexts}>
      {keptTexts.value.map(({ id, text, date, mealType }) => (
        <li key={id}>
          <span>
            “{text}” <span class="quiet">{meals[mealType]}</span>
            {readings.value.has(id) && (
              <span class="read-as" role="status">
                {offline.readAs(namesOf(readings.value.get(id)!))}
              </span>
            )}
          </span>
          <button
            type="button"
            class="link"
            disabled={!isReached.value}
            onClick={() => {
              route(pathTo(''));
              viewPerson(person.peek()!.id);
              // The field keeps the text until something of it is added.
              goOn({ meal: mealType, day: date, query: text, step: { kind: 'find' }, ticked: [] });
              void discard(id);
            }}
          >
            {offline.readText}
          </button>
          <button type="button" class="link" onClick={() => void discard(id)}>
            {offline.discard}
          </button>
        </li>
      ))}
    </ul>
  );
}
