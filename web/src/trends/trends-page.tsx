import { useSignal, useSignalEffect } from '@preact/signals';
import type { DatedTotals } from 'larder-client';
import { person } from '../account/session.ts';
import { shifted, today } from '../days.ts';
import { larder } from '../larder.ts';
import { BarChart, type Point } from '../parts/bar-chart.tsx';
import { problemOf } from '../parts/problem.ts';
import { numbers, texts } from '../texts/texts.ts';

const RANGES = { week: 7, month: 30, year: 365 } as const;
type Range = keyof typeof RANGES;
const MEASURES = ['calories', 'protein', 'carbs', 'fat', 'fiber', 'sodium'] as const;
type Measure = (typeof MEASURES)[number];
const UNITS: Readonly<Record<Measure, string>> = {
  calories: 'kcal',
  protein: 'g',
  carbs: 'g',
  fat: 'g',
  fiber: 'g',
  sodium: 'mg',
};
/** What always has a number; of the others, 0 may mean that no food states it. */
const KINDS: Readonly<Record<Measure, string>> = {
  calories: 'energy',
  protein: 'protein',
  carbs: 'carbs',
  fat: 'fat',
  fiber: 'energy',
  sodium: 'protein',
};

/** Sums of days over a week, a month or a year. */
export function TrendsPage() {
  const range = useSignal<Range>('week');
  const measure = useSignal<Measure>('calories');
  const days = useSignal<readonly DatedTotals[] | undefined>(undefined);
  const problem = useSignal('');
  useSignalEffect(() => {
    const user = person.value;
    if (user === null || user === undefined) return;
    const to = today();
    const from = shifted(to, 1 - RANGES[range.value]);
    larder
      .user(user.id)
      .diary.totals({ from, to, remaining: true })
      .then(
        (read) => {
          days.value = read;
          problem.value = '';
        },
        (error) => {
          problem.value = problemOf(error);
        },
      );
  });
  const { trends, ranges, measures, chooseMeasure } = texts.value;
  return (
    <>
      <h1 class="title">{trends}</h1>
      <div class="choices">
        <fieldset class="segments" aria-label={trends}>
          {(Object.keys(RANGES) as Range[]).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={range.value === each}
              onClick={() => {
                range.value = each;
              }}
            >
              {ranges[each]}
            </button>
          ))}
        </fieldset>
        <select
          aria-label={chooseMeasure}
          value={measure.value}
          onChange={({ currentTarget: { value } }) => {
            measure.value = value as Measure;
          }}
        >
          {MEASURES.map((each) => (
            <option key={each} value={each}>
              {measures[each]}
            </option>
          ))}
        </select>
      </div>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {days.value !== undefined && <Trend days={days.value} measure={measure.value} />}
    </>
  );
}

function Trend({ days, measure }: { readonly days: readonly DatedTotals[]; readonly measure: Measure }) {
  const { average, nothingLogged, ofDays, incompleteDays, measures } = texts.value;
  const unit = UNITS[measure];
  const format = (value: number) => `${numbers.value.whole(value)} ${unit}`;
  const points: Point[] = days.map((totals) => ({ day: totals.date, value: knownOf(totals, measure) }));
  const known = points.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const incomplete = days.filter(
    (totals) => knownOf(totals, measure) !== undefined && totals.incomplete?.includes(measure),
  ).length;
  if (known.length === 0) return <p class="empty">{nothingLogged}</p>;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const summary = `${average} ${format(mean)}, ${ofDays(known.length)}`;
  return (
    <section class="trend" aria-label={measures[measure]}>
      <p>
        <span class="number">{numbers.value.whole(mean)}</span> {unit}{' '}
        <span class="quiet">
          {average} · {ofDays(known.length)}
        </span>
      </p>
      <BarChart
        points={points}
        goal={days.at(-1)?.goals?.[measure]}
        kind={KINDS[measure]}
        label={summary}
        format={format}
      />
      {incomplete > 0 && <p class="quiet note">{incompleteDays(incomplete)}</p>}
    </section>
  );
}

/** Undefined for a day without entries, and where no entry states the measure. */
function knownOf(totals: DatedTotals, measure: Measure): number | undefined {
  const isEmpty = MEASURES.every((each) => totals[each] === 0);
  if (isEmpty || (totals[measure] === 0 && totals.incomplete?.includes(measure))) return undefined;
  return totals[measure];
}
