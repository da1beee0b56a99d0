import { useSignal, useSignalEffect } from '@preact/signals';
import type { Measurement } from 'larder-client';
import { useRef } from 'preact/hooks';
import { person, viewedPerson } from '../account/session.ts';
import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { type Day, dateOf, shifted } from '../days.ts';
import { larder } from '../larder.ts';
import { changeCount } from '../offline/device.ts';
import { allOwn } from '../offline/own-lists.ts';
import { changeSettings, ownSettings } from '../offline/own-records.ts';
import { removeOne } from '../offline/queue/write-one.ts';
import { baseOf, type Shown } from '../offline/queue/writes.ts';
import { WaitingMark } from '../offline/waiting-mark.tsx';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { bodyUnit, inBodyUnit } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { tell } from '../parts/toast.tsx';
import { numbers, texts } from '../texts/texts.ts';
import { BOTTOM, GUTTER, HEIGHT, scaleOf, TOP, useWidth } from './chart-frame.ts';
import type { Period } from './periods.ts';
import { byDay, changeAWeek, type DayValue, trendOf } from './weight-average.ts';
import { WEIGHT_NAME, WeightForm, weightOf } from './weight-form.tsx';
import { weightRange } from './weight-range.ts';

/** Days before the period from which the trend starts; older weights have almost no effect. */
const RUN_UP_DAYS = 60;

/** Weight as it was measured and its trend, with a form to enter it. */
export function WeightTrend({ period }: { readonly period: Period }) {
  const measured = useSignal<readonly Shown<Measurement>[] | undefined>(undefined);
  const problem = useSignal('');
  const user = viewedPerson.value;
  const isOwn = user?.id === person.value?.id;
  /** Reads from before a later one are dropped. */
  const latest = useRef(0);
  const load = async () => {
    const read = ++latest.current;
    const whole = { from: shifted(period.from, -RUN_UP_DAYS), to: period.to };
    const list = larder.user(user!.id).measurements.list({ name: WEIGHT_NAME, ...whole, limit: 100 });
    try {
      const all = isOwn ? await allOwn('measurement', list) : await list.all();
      if (read !== latest.current) return;
      measured.value = all.filter((each) => isIn(each, whole)).toSorted(byTime);
      problem.value = '';
    } catch (error) {
      if (read === latest.current) problem.value = problemOf(error);
    }
  };
  useSignalEffect(() => {
    if (viewedPerson.value !== undefined && (!isOwn || changeCount.value >= 0)) void load();
  });
  const { trendsPage: all } = texts.value;
  const shown = measured.value?.filter((each) => isIn(each, period));
  return (
    <section
      class="trend"
      aria-label={all.weight}
      aria-busy={measured.value === undefined && problem.value === ''}
    >
      <Problem text={problem.value} onRetry={load} />
      {shown !== undefined && shown.length > 0 && (
        <Weights measured={measured.value!} from={period.from} target={isOwn ? targetIn() : undefined} />
      )}
      {shown?.length === 0 && <p class="quiet">{all.noWeight}</p>}
      {isOwn && <WeightForm />}
      {isOwn && <TargetForm />}
      {isOwn && shown !== undefined && shown.length > 0 && <WeightList measured={shown} />}
    </section>
  );
}

/** The own target in the unit that is shown. */
function targetIn(): number | undefined {
  const target = ownSettings.value?.weightTarget;
  return target && inBodyUnit(target.value, target.unit);
}

/** The weight that is aimed at, which the chart shows on all devices; empty for none. */
function TargetForm() {
  const { trendsPage: all, save, changed } = texts.value;
  const { problem, isBusy, attempt } = useAttempts();
  const typed = useSignal<string | undefined>(undefined);
  const target = targetIn();
  const known = target === undefined ? '' : typedNumber(Math.round(target * 10) / 10);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const text = typed.peek() ?? known;
    const weightTarget = text === '' ? null : { value: numberOf(text), unit: bodyUnit.peek() as 'kg' | 'lb' };
    const isKept = await attempt(() => changeSettings({ weightTarget }));
    if (isKept) tell(changed);
  };
  const [min, max] = weightRange((kg) => inBodyUnit(kg, 'kg'));
  return (
    <details>
      <summary>{all.weightTarget}</summary>
      <form class="weight-form" aria-label={all.weightTarget} onSubmit={(event) => void submit(event)}>
        <NumberField
          label={all.weightTarget}
          unit={bodyUnit.value}
          min={min}
          max={max}
          value={typed.value ?? known}
          onInput={(text) => setTo(typed, text)}
        />
        <BusyButton type="submit" isBusy={isBusy}>
          {save}
        </BusyButton>
        <Problem text={problem} />
      </form>
    </details>
  );
}

function isIn({ name, measuredAt }: Measurement, { from, to }: Period): boolean {
  const day = measuredAt.slice(0, 10);
  return name === WEIGHT_NAME && from <= day && day <= to;
}

function byTime(a: Measurement, b: Measurement): number {
  return Date.parse(a.measuredAt) - Date.parse(b.measuredAt);
}

interface WeightsProps {
  /** From before the period on, with at least one in it. */
  readonly measured: readonly Measurement[];
  readonly from: Day;
  readonly target: number | undefined;
}

function Weights({ measured, from, target }: WeightsProps) {
  const { trendsPage: all } = texts.value;
  const weights = byDay(
    measured.map(({ measuredAt, value, unit }) => ({
      day: measuredAt.slice(0, 10),
      value: inBodyUnit(value, unit),
    })),
  );
  const isShown = ({ day }: { readonly day: Day }) => day >= from;
  const [points, trend] = [weights.filter(isShown), trendOf(weights).filter(isShown)];
  const format = (value: number) => `${numbers.value.precise(Math.round(value * 10) / 10)} ${bodyUnit.value}`;
  const signed = (value: number) => {
    const rounded = Math.round(value * 10) / 10;
    return `${rounded > 0 ? '+' : rounded < 0 ? '−' : '±'}${format(Math.abs(rounded))}`;
  };
  const [newest, smoothed] = [measured.at(-1)!, trend.at(-1)!];
  const weight = { day: newest.measuredAt.slice(0, 10), value: inBodyUnit(newest.value, newest.unit) };
  const rate = changeAWeek(trend);
  return (
    <>
      <p>
        <span class="number">{format(smoothed.value)}</span>{' '}
        <span class="quiet">
          {all.weightTrend}
          {rate !== undefined && ` · ${all.aWeek(signed(rate))}`}
        </span>
      </p>
      <p class="quiet note">
        {all.measuredOn(format(weight.value), dateOf(weight.day, { day: 'numeric', month: 'short' }))}
        {points.length > 1 && ` · ${all.inPeriod(signed(weight.value - points[0]!.value))}`}
        {target !== undefined && ` · ${all.toTarget(signed(target - smoothed.value), format(target))}`}
      </p>
      <LineChart
        points={points}
        trend={trend}
        target={target}
        label={`${all.weight}: ${format(weight.value)}`}
        format={format}
      />
      <p class="quiet note">{all.trendMeans}</p>
    </>
  );
}

function WeightList({ measured }: { readonly measured: readonly Shown<Measurement>[] }) {
  const { trendsPage: all, delete: remove } = texts.value;
  const { precise } = numbers.value;
  const onRemove = async (weight: Shown<Measurement>) => {
    const removal = { kind: 'measurement', id: weight.id, op: 'remove', base: baseOf(weight) } as const;
    try {
      await removeOne(removal, all.weight, () => weightOf(weight));
    } catch (error) {
      tell(problemOf(error));
    }
  };
  return (
    <details>
      <summary>{all.asTable}</summary>
      <ul class="items">
        {measured.toReversed().map((each) => (
          <li key={each.id}>
            <span>
              {precise(each.value)} {each.unit}
              <span class="quiet note">
                {dateOf(each.measuredAt.slice(0, 10), {
                  weekday: 'short',
                  day: 'numeric',
                  month: 'short',
                  year: 'numeric',
                })}
              </span>
              <WaitingMark waiting={each.waiting} />
            </span>
            <button
              type="button"
              class="round danger"
              aria-label={`${remove}: ${precise(each.value)} ${each.unit}`}
              onClick={() => void onRemove(each)}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface LineChartProps {
  /** What was measured, ascending. */
  readonly points: readonly DayValue[];
  /** The line through it, on the same days. */
  readonly trend: readonly DayValue[];
  /** A value that is aimed at. */
  readonly target?: number | undefined;
  readonly label: string;
  readonly format: (value: number) => string;
}

const DAY_MS = 86_400_000;
/** Share of the range that stays free above and below. */
const MARGIN = 0.25;
const MIN_SPAN = 1;
const SIDE = 8;

/** Measured points over time and their trend as a line; the scale begins near the lowest one. */
function LineChart({ points, trend, target, label, format }: LineChartProps) {
  const { svg, width: whole } = useWidth();
  const width = Math.max(1, whole - GUTTER);
  const values = [...points, ...trend].map(({ value }) => value).concat(target ?? []);
  const span = Math.max(Math.max(...values) - Math.min(...values), MIN_SPAN);
  const { lowest, highest, ticks } = scaleOf(
    values.map((value) => value + span * MARGIN),
    Math.min(...values) - span * MARGIN,
  );
  const yOf = (value: number) =>
    HEIGHT - BOTTOM - ((value - lowest) / (highest - lowest)) * (HEIGHT - BOTTOM - TOP);
  const first = Date.parse(points[0]!.day);
  const days = Math.max(1, (Date.parse(points.at(-1)!.day) - first) / DAY_MS);
  const xOf = (day: Day) => SIDE + ((Date.parse(day) - first) / DAY_MS / days) * (width - 2 * SIDE);
  const form = { day: 'numeric', month: 'short' } as const;
  return (
    <svg ref={svg} class="chart energy" viewBox={`0 0 ${whole} ${HEIGHT}`} role="img" aria-label={label}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line class="base" x1="0" x2={width} y1={yOf(tick)} y2={yOf(tick)} />
          <text class="tick" x={whole} y={yOf(tick) + 4} text-anchor="end">
            {numbers.value.precise(tick)}
          </text>
        </g>
      ))}
      {target !== undefined && <line class="target" x1="0" x2={width} y1={yOf(target)} y2={yOf(target)} />}
      <polyline class="line" points={trend.map(({ day, value }) => `${xOf(day)},${yOf(value)}`).join(' ')} />
      {points.map(({ day, value }, at) => (
        <circle key={`${at} ${day}`} class="measured" cx={xOf(day)} cy={yOf(value)} r="3">
          <title>{`${dateOf(day, form)}: ${format(value)}`}</title>
        </circle>
      ))}
      <line class="base" x1="0" x2={width} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
      <text x={SIDE} y={HEIGHT - 6}>
        {dateOf(points[0]!.day, form)}
      </text>
      {points.length > 1 && (
        <text x={width - SIDE} y={HEIGHT - 6} text-anchor="end">
          {dateOf(points.at(-1)!.day, form)}
        </text>
      )}
    </svg>
  );
}
