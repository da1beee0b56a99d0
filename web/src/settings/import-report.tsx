import type { ImportedRecord, ImportResult } from 'larder-client';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { person, viewPerson } from '../account/session.ts';
import { dateOf } from '../days.ts';
import { pathTo } from '../larder.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { focusOn, isFocusLost } from '../parts/focus.ts';
import { energyText } from '../parts/measures.ts';
import { numbers, texts } from '../texts/texts.ts';
import { day as shownDay } from '../today/day-store.ts';

const KINDS = ['entries', 'foods', 'recipes', 'goals', 'measurements'] as const;
const MAX_PROBLEMS = 20;

interface ImportReportProps {
  readonly result: ImportResult;
  readonly isBusy: boolean;
  readonly onImport: () => void;
}

/** What a file would write, or has written: counts, the first records as understood, and what is wrong by line. */
export function ImportReport({ result, isBusy, onImport }: ImportReportProps) {
  const { moving: all } = texts.value;
  const { whole } = numbers.value;
  const { route } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const { format, preview, from, to, shown, problems, problemCount, ignoredColumns, notes, stopped } = result;
  const kinds = KINDS.filter((kind) => result[kind].found > 0);
  const added = kinds.reduce((sum, kind) => sum + result[kind].added, 0);
  const day = (text: string) => dateOf(text, { day: 'numeric', month: 'short', year: 'numeric' });
  useEffect(() => {
    // The button of the preview has gone.
    if (!preview && isFocusLost()) focusOn(heading.current);
  }, [preview]);
  return (
    <section class="report" aria-label={preview ? all.preview : all.report}>
      <h3 ref={heading}>{preview ? all.preview : all.report}</h3>
      <p>
        {all.recognized(all.formats[format])}
        {from !== undefined && to !== undefined && ` · ${day(from)} – ${day(to)}`}
      </p>
      <ul class="counts">
        {kinds.map((kind) => {
          const { added: written, present, deleted, refused, left } = result[kind];
          const rest = [
            present > 0 && all.present(whole(present)),
            deleted > 0 && all.deletedBefore(whole(deleted)),
            refused > 0 && all.refused(whole(refused)),
            left > 0 && all.left(whole(left)),
          ].filter((text) => text !== false);
          return (
            <li key={kind}>
              <strong>
                {preview ? all.wouldAdd[kind](whole(written)) : all.added[kind](whole(written))}
              </strong>
              {rest.length > 0 && <span class="quiet note"> {rest.join(' · ')}</span>}
            </li>
          );
        })}
      </ul>
      {kinds.length === 0 && <p class="problem">{all.nothing}</p>}
      {stopped !== undefined && <p class="problem">{stopped.message}</p>}
      {preview && added > 0 && (
        <BusyButton type="button" class="primary" isBusy={isBusy} onClick={onImport}>
          {all.importNow}
        </BusyButton>
      )}
      {!preview && to !== undefined && (
        <button
          type="button"
          onClick={() => {
            viewPerson(person.peek()!.id);
            shownDay.value = to;
            route(pathTo(''));
          }}
        >
          {all.showLastDay}
        </button>
      )}
      {preview && added === 0 && kinds.length > 0 && <p class="quiet">{all.allThere}</p>}
      {preview && shown.length > 0 && <Shown records={shown} />}
      {problemCount > 0 && (
        <details open={preview}>
          <summary>{all.problems(problemCount)}</summary>
          <ul class="notes">
            {problems.slice(0, MAX_PROBLEMS).map(({ line, column, message }) => (
              <li key={`${line} ${column ?? ''} ${message}`}>
                {all.line(line)}
                {column !== undefined && `, ${column}`}: {message}
              </li>
            ))}
          </ul>
          {problemCount > MAX_PROBLEMS && (
            <p class="quiet">{all.moreProblems(problemCount - MAX_PROBLEMS)}</p>
          )}
        </details>
      )}
      {(notes.length > 0 || ignoredColumns.length > 0) && (
        <details>
          <summary>{all.notes}</summary>
          <ul class="notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
            {ignoredColumns.length > 0 && <li>{all.ignored(ignoredColumns.join(', '))}</li>}
          </ul>
        </details>
      )}
    </section>
  );
}

function Shown({ records }: { readonly records: readonly ImportedRecord[] }) {
  const { moving: all, recipesPage, meals, name: nameTitle, energy: energyTitle } = texts.value;
  return (
    <div class="scrolls">
      <table class="data">
        <caption>{all.first(records.length)}</caption>
        <thead>
          <tr>
            <th scope="col">{all.date}</th>
            <th scope="col">{recipesPage.meal}</th>
            <th scope="col">{nameTitle}</th>
            <th scope="col">{energyTitle}</th>
          </tr>
        </thead>
        <tbody>
          {records.map(({ line, record }) => {
            const { date, from, mealType, foodName, name, calories, macros } = record as Shape;
            const energy = calories ?? macros?.energy;
            return (
              <tr key={line}>
                <td>{date ?? from ?? '–'}</td>
                <td>{mealType === undefined ? '–' : meals[mealType]}</td>
                <td>{foodName ?? name ?? '–'}</td>
                <td>{energy === undefined ? '–' : energyText(energy)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** What is shown of an entry, a food, a recipe or goals. */
interface Shape {
  readonly date?: string;
  readonly from?: string;
  readonly mealType?: 'breakfast' | 'lunch' | 'dinner' | 'snacks';
  readonly foodName?: string;
  readonly name?: string;
  readonly calories?: number;
  readonly macros?: { readonly energy?: number };
}
