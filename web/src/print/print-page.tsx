import { useSignal, useSignalEffect } from '@preact/signals';
import type { DatedTotals, DiaryDay, DiaryEntry } from 'larder-client';
import { setTo } from '../parts/signals.ts';
import '../styles/print.css';
import { person, viewedPerson } from '../account/session.ts';
import { amountText } from '../amounts/amount-text.ts';
import { dateOf, isDay, shifted, today } from '../days.ts';
import { larder, pathTo } from '../larder.ts';
import { changeCount, local } from '../offline/device.ts';
import { hasDays } from '../offline/own-lists.ts';
import { Icon } from '../parts/icon.tsx';
import { energyOf, energyUnit } from '../parts/measures.ts';
import { DIARY_NUTRIENTS, type DiaryNutrient, type Measure } from '../parts/nutrients.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { weekStart } from '../preferences.ts';
import { numbers, texts } from '../texts/texts.ts';
import { MEALS, mealWords } from '../today/meal-names.ts';
import { daysOf, type Period, periodOf } from '../trends/periods.ts';
import { averageOf, pointsOf } from '../trends/series.ts';
import { useDays } from '../trends/use-days.ts';

const RANGES = ['day', 'week', 'month'] as const;
type PrintRange = (typeof RANGES)[number];
const MACROS = ['protein', 'carbs', 'fat'] as const;
const COLUMNS = ['calories', ...MACROS] as const;
const MEASURES: readonly Measure[] = ['calories', ...(Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[])];

/** A day, a week or a month of a diary on paper: averages against goals, then each day with its entries and notes. */
export function PrintPage() {
  const asked = new URLSearchParams(location.search).get('day') ?? '';
  const range = useSignal<PrintRange>('week');
  const day = useSignal(isDay(asked) ? asked : today());
  const { printView: all, trendsPage, chooseDay, back } = texts.value;
  const period =
    range.value === 'day'
      ? { from: day.value, to: day.value }
      : periodOf(range.value, day.value, weekStart.value);
  return (
    <div class="print">
      <div class="print-tools">
        <a href={pathTo('')}>{back}</a>
        <fieldset class="segments" aria-label={all.title}>
          {RANGES.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={range.value === each}
              onClick={() => setTo(range, each)}
            >
              {all.ranges[each]}
            </button>
          ))}
        </fieldset>
        <button
          type="button"
          class="round"
          aria-label={trendsPage.earlier}
          onClick={() => setTo(day, shifted(period.from, -1))}
        >
          <Icon name="chevronLeft" />
        </button>
        <input
          type="date"
          aria-label={chooseDay}
          required
          value={day.value}
          onChange={({ currentTarget: { value } }) => setTo(day, isDay(value) ? value : today())}
        />
        <button
          type="button"
          class="round"
          aria-label={trendsPage.later}
          onClick={() => setTo(day, shifted(period.to, 1))}
        >
          <Icon name="chevronRight" />
        </button>
        <button type="button" class="primary" onClick={() => print()}>
          {all.print}
        </button>
      </div>
      <Sheets key={`${viewedPerson.value?.id} ${period.from} ${period.to}`} period={period} />
    </div>
  );
}

/** What is printed. */
function Sheets({ period }: { readonly period: Period }) {
  const { days, entries: kept, problem, retry } = useDays(period);
  const told = useSignal<readonly DiaryEntry[] | undefined>(undefined);
  const toldProblem = useSignal('');
  const isKept = kept !== undefined;
  useSignalEffect(() => {
    const user = viewedPerson.value;
    if (user === undefined || isKept || days === undefined) return;
    larder
      .user(user.id)
      .diary.list({ ...period, limit: 500 })
      .all()
      .then(
        (all) => setTo(told, all),
        (error) => setTo(toldProblem, problemOf(error)),
      );
  });
  const notes = useNotes(period);
  const { printView: all } = texts.value;
  const entries = kept ?? told.value;
  const text = problem ?? toldProblem.value;
  if (text !== '') return <Problem text={text} onRetry={retry} />;
  if (days === undefined || entries === undefined) return <p aria-busy="true" />;
  const byDay = Map.groupBy(entries, ({ date }) => date);
  const eaten = days.filter(({ date }) => byDay.has(date));
  const shownDays = days.filter(({ date }) => byDay.has(date) || notes.has(date));
  return (
    <article>
      <h1>{all.of(viewedPerson.value?.name ?? '')}</h1>
      <p>{titleOf(period)}</p>
      {shownDays.length === 0 ? (
        <p>{texts.value.nothingLogged}</p>
      ) : (
        <>
          {eaten.length > 0 && <Averages days={eaten} />}
          {shownDays.map((each) => (
            <DaySheet
              key={each.date}
              totals={each}
              entries={byDay.get(each.date) ?? []}
              note={notes.get(each.date)}
            />
          ))}
          <p class="quiet">{all.atLeastMeans}</p>
        </>
      )}
    </article>
  );
}

/** The notes on the days as a whole, by day; none where they cannot be read. */
function useNotes({ from, to }: Period): ReadonlyMap<string, string> {
  const notes = useSignal<ReadonlyMap<string, string>>(new Map());
  useSignalEffect(() => {
    const user = viewedPerson.value;
    const isNew = changeCount.value >= 0;
    if (user === undefined || !isNew) return;
    const isOwn = user.id === person.value?.id;
    const told = () => larder.user(user.id).days.list({ from, to }).all();
    const read = isOwn ? keptDays({ from, to }).then((kept) => kept ?? told()) : told();
    read.then(
      (days) => {
        const noted = days.flatMap(({ date, note }) => (note === undefined ? [] : [[date, note] as const]));
        notes.value = new Map(noted);
      },
      () => {},
    );
  });
  return notes.value;
}

/** What was noted, if this device has all of it. */
async function keptDays({ from, to }: Period): Promise<readonly DiaryDay[] | undefined> {
  if (!(await hasDays(from))) return undefined;
  const { copy } = local();
  const found = await Promise.all(daysOf({ from, to }).map((day) => copy.findShown('day', day)));
  return found.filter((day) => day !== undefined);
}

/** Averages of the days with entries beside those of their goals. Nutrients that no food states are left out. */
function Averages({ days }: { readonly days: readonly DatedTotals[] }) {
  const { printView: all, trendsPage, atLeast, ofDays } = texts.value;
  const rows = MEASURES.flatMap((measure) => {
    const points = pointsOf(days, measure);
    const mean = averageOf(points);
    const goals = points.flatMap(({ goal }) => goal ?? []);
    if (mean === undefined) return [];
    const goal = goals.length === 0 ? undefined : goals.reduce((sum, each) => sum + each, 0) / goals.length;
    return [{ measure, mean, goal }];
  });
  return (
    <table>
      <caption>
        {all.averages} · {ofDays(days.length)}
      </caption>
      <thead>
        <tr>
          <th scope="col">{all.nutrient}</th>
          <th scope="col">{all.perDay}</th>
          <th scope="col">{trendsPage.goalTitle}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ measure, mean, goal }) => (
          <tr key={measure}>
            <th scope="row">{nameOf(measure)}</th>
            <td>
              {mean.lowDays > 0 && `${atLeast} `}
              {textOf(measure, mean.value)}
            </td>
            <td>{goal === undefined ? '–' : textOf(measure, goal)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DaySheetProps {
  readonly totals: DatedTotals;
  readonly entries: readonly DiaryEntry[];
  /** The note on the day as a whole. */
  readonly note: string | undefined;
}

function DaySheet({ totals, entries, note }: DaySheetProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what overflows (WCAG 2.1.1).
    <section class="print-day" tabIndex={0}>
      <h2>{dateOf(totals.date, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}</h2>
      {note !== undefined && <p class="print-note">{note}</p>}
      {entries.length > 0 && <DayTable totals={totals} entries={entries} />}
    </section>
  );
}

function DayTable({ totals, entries }: Omit<DaySheetProps, 'note'>) {
  const { printView: all, amount, energy, trendsPage } = texts.value;
  const { whole } = numbers.value;
  const unknownOf = (entry: DiaryEntry, key: (typeof COLUMNS)[number]) =>
    entry.unknown?.includes(key) === true;
  const sums = COLUMNS.map((key) => pointsOf([totals], key)[0]!);
  const goals = sums.map(({ goal }) => goal);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{all.food}</th>
          <th scope="col">{amount}</th>
          <th scope="col">
            {energy} ({energyUnit.value})
          </th>
          {MACROS.map((key) => (
            <th key={key} scope="col">
              {texts.value[key]} (g)
            </th>
          ))}
        </tr>
      </thead>
      {MEALS.map((meal) => {
        const own = entries.filter(({ mealType }) => mealType === meal);
        if (own.length === 0) return null;
        return (
          <tbody key={meal}>
            <tr class="print-meal">
              <th scope="rowgroup" colSpan={6}>
                {mealWords(meal).name}
              </th>
            </tr>
            {own.map((entry) => (
              <tr key={entry.id}>
                <td>
                  {entry.eatenAt !== undefined && <span class="quiet">{entry.eatenAt.slice(11, 16)} </span>}
                  {entry.foodName}
                  {entry.note !== undefined && entry.note !== '' && <em> – {entry.note}</em>}
                </td>
                <td>{amountText(entry.quantity, entry.unit)}</td>
                <td>{unknownOf(entry, 'calories') ? '?' : whole(energyOf(entry.calories))}</td>
                {MACROS.map((key) => (
                  <td key={key}>{unknownOf(entry, key) ? '?' : whole(entry[key])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        );
      })}
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {all.total}
          </th>
          {sums.map(({ value, isLow }, at) => (
            <td key={COLUMNS[at]}>{value === undefined ? '?' : `${isLow ? '≥ ' : ''}${shown(at, value)}`}</td>
          ))}
        </tr>
        {goals.some((goal) => goal !== undefined) && (
          <tr>
            <th scope="row" colSpan={2}>
              {trendsPage.goalTitle}
            </th>
            {goals.map((goal, at) => (
              <td key={COLUMNS[at]}>{goal === undefined ? '–' : shown(at, goal)}</td>
            ))}
          </tr>
        )}
      </tfoot>
    </table>
  );
}

/** The first column is energy. */
function shown(column: number, value: number): string {
  return numbers.value.whole(column === 0 ? energyOf(value) : value);
}

function textOf(measure: Measure, value: number): string {
  const { whole, precise } = numbers.value;
  if (measure === 'calories') return `${whole(energyOf(value))} ${energyUnit.value}`;
  return `${value < 10 ? precise(Math.round(value * 10) / 10) : whole(value)} ${DIARY_NUTRIENTS[measure]}`;
}

function nameOf(measure: Measure): string {
  const { energy, nutrientNames } = texts.value;
  if (measure === 'calories') return energy;
  return nutrientNames[measure === 'carbs' ? 'carbohydrates' : measure];
}

function titleOf({ from, to }: Period): string {
  const form = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  return from === to ? dateOf(from, form) : `${dateOf(from, form)} – ${dateOf(to, form)}`;
}
