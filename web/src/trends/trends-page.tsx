import '../styles/lists.css';
import '../styles/settings.css';
import '../styles/trends.css';
import { signal, useSignal, useSignalEffect } from '@preact/signals';
import type { DatedTotals, DiaryEntry, Measurement } from 'larder-client';
import { person, viewedPerson } from '../account/session.ts';
import { dateOf, shifted, today } from '../days.ts';
import { otherName } from '../diary/shown-diary.ts';
import { loadLogged } from '../facts/parts.ts';
import { larder } from '../larder.ts';
import { changeCount } from '../offline/device.ts';
import { allOwn } from '../offline/own-lists.ts';
import { ownSettings } from '../offline/own-records.ts';
import { Icon } from '../parts/icon.tsx';
import { Later } from '../parts/later.tsx';
import { energyOf, energyUnit } from '../parts/measures.ts';
import { DIARY_NUTRIENTS, type DiaryNutrient, type Measure } from '../parts/nutrients.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { inVolumeUnit, mlOf, volumeText } from '../parts/volumes.ts';
import { weekStart } from '../preferences.ts';
import { numbers, texts } from '../texts/texts.ts';
import { WATER_NAME } from '../today/day-record.ts';
import { BarChart } from './bar-chart.tsx';
import { daysOf, type Period, periodOf, RANGES, type Range } from './periods.ts';
import { averageOf, monthly, type Point, pointsOf, statedBy } from './series.ts';
import { useDays } from './use-days.ts';
import { WeightTrend } from './weight-trend.tsx';

const KINDS: Readonly<Partial<Record<Measure, string>>> = { protein: 'protein', carbs: 'carbs', fat: 'fat' };

/** What every day has; others are chosen. */
const MACROS = ['protein', 'carbs', 'fat'] as const;
const FURTHER = (Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).filter(
  (key) => !(MACROS as readonly string[]).includes(key),
);

/** Energy, nutrients and weight over a week, a month or a year, a card each. */
export function TrendsPage() {
  const range = useSignal<Range>('week');
  const day = useSignal(today());
  const { trends, ranges, otherDay, trendsPage: all } = texts.value;
  const period = periodOf(range.value, day.value, weekStart.value);
  const other = otherName.value;
  // Reset for another person or period, so that old data never appears under the new name.
  const shown = `${viewedPerson.value?.id} ${period.from} ${period.to}`;
  return (
    <>
      <h1 class="title">{trends}</h1>
      {other !== undefined && <p class="of-other">{otherDay.title(other)}</p>}
      <div class="period-line">
        <fieldset class="segments" aria-label={trends}>
          {RANGES.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={range.value === each}
              onClick={() => setTo(range, each)}
            >
              {ranges[each]}
            </button>
          ))}
        </fieldset>
        <div class="period">
          <button
            type="button"
            class="round"
            aria-label={all.earlier}
            onClick={() => setTo(day, shifted(period.from, -1))}
          >
            <Icon name="chevronLeft" />
          </button>
          <p class="period-name" aria-live="polite">
            {titleOf(range.value, period)}
          </p>
          <button
            type="button"
            class="round"
            aria-label={all.later}
            disabled={period.to >= today()}
            onClick={() => setTo(day, shifted(period.to, 1))}
          >
            <Icon name="chevronRight" />
          </button>
        </div>
      </div>
      <div class="trend-cards">
        <DiaryTrends key={shown} period={period} range={range.value} />
        <article class="trend-card">
          <h2>{all.weight}</h2>
          <WeightTrend key={shown} period={period} />
        </article>
        <WaterTrend key={`water ${shown}`} period={period} range={range.value} />
      </div>
    </>
  );
}

/** The further nutrient that is shown, in each period. */
const chosen = signal<DiaryNutrient>('fiber');

interface DiaryTrendProps {
  readonly period: Period;
  readonly range: Range;
}

/** The cards of nutrients that the diary adds up. */
function DiaryTrends(props: DiaryTrendProps) {
  const { days, entries, complete, problem, retry } = useDays(props.period);
  const { average, chooseMeasure, nothingLogged, ofDays, trendsPage: all } = texts.value;
  if (problem !== undefined) return <Problem text={problem} onRetry={retry} />;
  if (days === undefined) return <section class="trend trend-card wide" aria-busy="true" />;
  if (days.every((each) => averageOf(pointsOf([each], 'calories')) === undefined))
    return <p class="nothing trend-card wide">{nothingLogged}</p>;
  const logged = days.filter((each) => each.entries > 0);
  const rest = { days, entries, complete, ...props };
  return (
    <>
      <article class="trend-card wide">
        <h2>{nameOf('calories')}</h2>
        <Trend {...rest} measure="calories" />
      </article>
      {MACROS.map((each) => (
        <article key={each} class={`trend-card third ${each}`}>
          <h2>{nameOf(each)}</h2>
          <Trend {...rest} measure={each} />
        </article>
      ))}
      <article class="trend-card">
        <h2>{all.furtherNutrients}</h2>
        <select
          aria-label={chooseMeasure}
          value={chosen.value}
          onChange={({ currentTarget: { value } }) => setTo(chosen, value as DiaryNutrient)}
        >
          {FURTHER.map((each) => (
            <option key={each} value={each}>
              {nameOf(each)}
            </option>
          ))}
        </select>
        <Trend {...rest} measure={chosen.value} />
      </article>
      <Later
        load={loadLogged}
        props={{ sums: days, items: entries, isDay: true, note: `${average} · ${ofDays(logged.length)}` }}
      />
    </>
  );
}

interface TrendProps extends DiaryTrendProps {
  readonly measure: Measure;
  readonly days: readonly DatedTotals[];
  /** Those of the days, where this device has them. */
  readonly entries: readonly DiaryEntry[] | undefined;
  /** Days that were marked as complete: the others do not count for the average, where there are some. */
  readonly complete: readonly string[] | undefined;
}

function Trend({ days, entries, complete = [], period, range, measure }: TrendProps) {
  const { average, ofDays, trendsPage: all } = texts.value;
  const daily = pointsOf(days, measure);
  const meanOfComplete = averageOf(daily.filter(({ day }) => complete.includes(day)));
  const mean = meanOfComplete ?? averageOf(daily);
  if (mean === undefined) {
    return <p class="quiet">{all.nothingStated(nameOf(measure))}</p>;
  }
  const unit = measure === 'calories' ? energyUnit.value : DIARY_NUTRIENTS[measure];
  const shown = (value: number) => (measure === 'calories' ? energyOf(value) : value);
  const bare = (value: number) => {
    const { whole, precise } = numbers.value;
    return value < 10 ? precise(Math.round(value * 10) / 10) : whole(value);
  };
  const format = (value: number) => `${bare(value)} ${unit}`;
  // Goals differ by weekday and from date to date.
  const formatRange = (lowest: number, highest: number) =>
    bare(lowest) === bare(highest) ? format(highest) : `${bare(lowest)}–${format(highest)}`;
  const points = (range === 'year' ? monthly(daily) : daily).map((point) => ({
    ...point,
    value: point.value === undefined ? undefined : shown(point.value),
    goal: point.goal === undefined ? undefined : shown(point.goal),
  }));
  // Future days have no data.
  const known = points.filter(({ day }) => day <= today());
  const goals = points.flatMap(({ goal }) => goal ?? []);
  const isLow = mean.lowDays > 0;
  const lowDays = days.filter(({ unknown: keys }) => keys?.some((key) => key === measure)).length;
  const text = format(shown(mean.value));
  return (
    <section class="trend" aria-label={nameOf(measure)}>
      <p>
        {isLow && <span class="quiet">{texts.value.atLeast} </span>}
        <span class="number">{text}</span>{' '}
        <span class="quiet">
          {average} · {meanOfComplete === undefined ? ofDays(mean.days) : all.ofCompleteDays(mean.days)}
          {goals.length > 0 && ` · ${all.goal(formatRange(Math.min(...goals), Math.max(...goals)))}`}
        </span>
      </p>
      <BarChart
        points={points}
        kind={KINDS[measure] ?? 'energy'}
        label={`${nameOf(measure)}, ${titleOf(range, period)}: ${average} ${text}`}
        format={format}
        isMonths={range === 'year'}
      />
      {lowDays > 0 && <LowNote {...{ period, range, measure }} days={lowDays} entries={entries} />}
      <details>
        <summary>{all.asTable}</summary>
        <div class="scrolls">
          <table class="data">
            <thead>
              <tr>
                <th scope="col">{range === 'year' ? all.month : all.day}</th>
                <th scope="col">{nameOf(measure)}</th>
                <th scope="col">{all.goalTitle}</th>
              </tr>
            </thead>
            <tbody>
              {known.map(({ day, value, isLow: isPointLow, goal: aim }) => (
                <tr key={day}>
                  <th scope="row">
                    {dateOf(
                      day,
                      range === 'year'
                        ? { month: 'long' }
                        : { weekday: 'short', day: 'numeric', month: 'short' },
                    )}
                  </th>
                  <td>
                    {value === undefined
                      ? all.unknown
                      : `${isPointLow ? `${texts.value.atLeast} ` : ''}${format(value)}`}
                  </td>
                  <td>{aim === undefined ? '–' : format(aim)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

interface LowNoteProps extends DiaryTrendProps {
  readonly measure: Measure;
  readonly days: number;
  readonly entries: readonly DiaryEntry[] | undefined;
}

/** Says of how many foods the measure is known; for a year only on how many days it is not. */
function LowNote({ period, range, measure, days, entries }: LowNoteProps) {
  const read = useSignal<readonly DiaryEntry[] | undefined>(undefined);
  const isKnown = entries !== undefined;
  useSignalEffect(() => {
    const user = viewedPerson.value;
    if (user === undefined || range === 'year' || isKnown) return;
    const { from, to } = period;
    // Without entries, show daily totals only.
    larder
      .user(user.id)
      .diary.list({ from, to, limit: 500 })
      .all()
      .then(
        (all) => setTo(read, all),
        () => {},
      );
  });
  const { incompleteDays, trendsPage: all } = texts.value;
  const known = entries ?? read.value;
  return (
    <p class="quiet note">
      {known === undefined ? incompleteDays(days) : all.foodsState(statedBy(known, measure), known.length)}
    </p>
  );
}

function nameOf(measure: Measure): string {
  const { energy, nutrientNames } = texts.value;
  if (measure === 'calories') return energy;
  return nutrientNames[measure === 'carbs' ? 'carbohydrates' : measure];
}

function titleOf(range: Range, { from, to }: Period): string {
  if (range === 'year') return from.slice(0, 4);
  if (range === 'month') return dateOf(from, { month: 'long', year: 'numeric' });
  const form = { day: 'numeric', month: 'short' } as const;
  return `${dateOf(from, form)} – ${dateOf(to, { ...form, year: 'numeric' })}`;
}

interface WaterTrendProps {
  readonly period: Period;
  readonly range: Range;
}

/** Water by day, of the days on which some was logged; nothing where none was. */
function WaterTrend({ period, range }: WaterTrendProps) {
  const measured = useSignal<readonly Measurement[]>([]);
  const user = viewedPerson.value;
  const isOwn = user?.id === person.value?.id;
  useSignalEffect(() => {
    const of = viewedPerson.value;
    if (of === undefined || changeCount.value < 0) return;
    const list = larder.user(of.id).measurements.list({ name: WATER_NAME, ...period, limit: 100 });
    const read = of.id === person.value?.id ? allOwn('measurement', list) : list.all();
    // The cards above say that the service cannot be reached.
    read.then(
      (all) => setTo(measured, all),
      () => {},
    );
  });
  const { average, ofDays, dayExtras, trendsPage } = texts.value;
  const goal = isOwn ? ownSettings.value?.waterGoalMl : undefined;
  const daily = waterOf(measured.value, period, goal);
  const mean = averageOf(daily);
  if (mean === undefined) return null;
  const text = volumeText(mean.value);
  return (
    <article class="trend-card">
      <h2>{dayExtras.water}</h2>
      <section class="trend" aria-label={dayExtras.water}>
        <p>
          <span class="number">{text}</span>{' '}
          <span class="quiet">
            {average} · {ofDays(mean.days)}
            {goal !== undefined && ` · ${trendsPage.goal(volumeText(goal))}`}
          </span>
        </p>
        <BarChart
          points={(range === 'year' ? monthly(daily) : daily).map((point) => ({
            ...point,
            value: point.value && inVolumeUnit(point.value),
            goal: point.goal && inVolumeUnit(point.goal),
          }))}
          kind="water"
          label={`${dayExtras.water}: ${average} ${text}`}
          format={(value) => volumeText(mlOf(value))}
          isMonths={range === 'year'}
        />
      </section>
    </article>
  );
}

/** A point for each day, in milliliters: days without water have no value, and are not 0. */
function waterOf(
  measured: readonly Measurement[],
  period: Period,
  goal: number | undefined,
): readonly Point[] {
  const byDay = new Map<string, number>();
  for (const { name, value, unit, measuredAt } of measured) {
    if (name !== WATER_NAME || (unit !== 'ml' && unit !== 'l')) continue;
    const day = measuredAt.slice(0, 10);
    byDay.set(day, (byDay.get(day) ?? 0) + (unit === 'l' ? value * 1_000 : value));
  }
  return daysOf(period)
    .filter((day) => day <= today())
    .map((day) => ({ day, value: byDay.get(day), isLow: false, goal }));
}
