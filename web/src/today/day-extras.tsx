import { useSignal } from '@preact/signals';
import { setTo } from '../parts/signals.ts';
import '../styles/day-extras.css';
import { canWrite, otherName } from '../diary/shown-diary.ts';
import { ownSettings } from '../offline/own-records.ts';
import { WaitingMark } from '../offline/waiting-mark.tsx';
import { Icon } from '../parts/icon.tsx';
import { withTexts } from '../parts/later.tsx';
import { showSheet } from '../parts/sheet-host.tsx';
import { volumeText } from '../parts/volumes.ts';
import { preferences } from '../preferences.ts';
import { texts } from '../texts/texts.ts';
import { addWater, dayRecord, glassMl, noteDay, waterMl } from './day-record.ts';
import { day } from './day-store.ts';

const loadNotes = withTexts(async () => (await import('./notes-sheet.tsx')).NotesSheet, 'adding');
const loadWater = withTexts(async () => (await import('./water-sheet.tsx')).WaterSheet, 'adding');

/** Water, a note and whether everything was logged: what a day has beside its foods. */
export function DayExtras() {
  return (
    <section class="day-extras" aria-label={texts.value.dayExtras.title}>
      <Water />
      <Note key={day.value} />
    </section>
  );
}

function Water() {
  const { water, addWater: add, waterAdded, ofGoal, waterSettings } = texts.value.dayExtras;
  const goal = otherName.value === undefined ? ownSettings.value?.waterGoalMl : undefined;
  const step = volumeText(glassMl(ownSettings.value?.waterStepMl, preferences.value.units === 'us'));
  const total = waterMl.value ?? 0;
  return (
    <div class="water">
      <div class="water-total">
        <h2>{water}</h2>
        <span class="amount">
          {goal === undefined ? volumeText(total) : ofGoal(volumeText(total), volumeText(goal))}
        </span>
        {goal !== undefined && <progress aria-label={water} max={goal} value={Math.min(total, goal)} />}
      </div>
      {otherName.value === undefined && (
        <button
          type="button"
          class="round"
          aria-label={waterSettings}
          onClick={() => showSheet(loadWater, {})}
        >
          <Icon name="sliders" />
        </button>
      )}
      {canWrite.value && (
        <button
          type="button"
          aria-label={add(step)}
          onClick={() =>
            void addWater(
              glassMl(ownSettings.peek()?.waterStepMl, preferences.peek().units === 'us'),
              waterAdded(step),
            )
          }
        >
          <Icon name="plus" /> {step}
        </button>
      )}
    </div>
  );
}

function Note() {
  const { dayExtras, save, cancel, edit } = texts.value;
  const { addNote, note: label, complete, completeHint, searchNotes } = dayExtras;
  const isEditing = useSignal(false);
  const known = dayRecord.value;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get('note')).trim();
    isEditing.value = false;
    void noteDay({ note: typed === '' ? null : typed });
  };
  return (
    <div class="day-note">
      {isEditing.value ? (
        <form onSubmit={submit}>
          <label>
            {label}
            <textarea name="note" rows={3} maxLength={2000} defaultValue={known?.note ?? ''} autofocus />
          </label>
          <div class="actions">
            <button type="submit" class="primary">
              {save}
            </button>
            <button type="button" class="link" onClick={() => setTo(isEditing, false)}>
              {cancel}
            </button>
          </div>
        </form>
      ) : (
        known?.note !== undefined && <p class="note-text">{known.note}</p>
      )}
      <div class="day-note-actions">
        {canWrite.value && (
          <label class="check" title={completeHint}>
            <input
              type="checkbox"
              checked={known?.complete === true}
              onChange={({ currentTarget }) => void noteDay({ complete: currentTarget.checked })}
            />
            {complete}
          </label>
        )}
        <WaitingMark waiting={known?.waiting} />
        {canWrite.value && !isEditing.value && (
          <button type="button" class="link" onClick={() => setTo(isEditing, true)}>
            {known?.note === undefined ? addNote : edit}
          </button>
        )}
        <button type="button" class="link" onClick={() => showSheet(loadNotes, {})}>
          {searchNotes}
        </button>
      </div>
    </div>
  );
}
