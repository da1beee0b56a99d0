import { useSignal, useSignalEffect } from '@preact/signals';
import type { Measurement } from 'larder-client';
import { person, viewedPerson } from '../account/session.ts';
import { today } from '../days.ts';
import { larder } from '../larder.ts';
import { changeCount } from '../offline/device.ts';
import { allOwn } from '../offline/own-lists.ts';
import { ownSettings } from '../offline/own-records.ts';
import { setTo } from '../parts/signals.ts';
import { inVolumeUnit, mlOf, volumeText } from '../parts/volumes.ts';
import { texts } from '../texts/texts.ts';
import { WATER_NAME } from '../today/day-record.ts';
import { BarChart } from './bar-chart.tsx';
import { daysOf, type Period, type Range } from './periods.ts';
import { averageOf, monthly, type Point } from './series.ts';

interface WaterTrendProps {
  readonly period: Period;
  readonly range: Range;
}

/** Water by day, of the days on which some was logged; nothing where none was. */
export function WaterTrend({ period, range }: WaterTrendProps) {
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
