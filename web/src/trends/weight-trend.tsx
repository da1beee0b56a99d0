import { useSignal, useSignalEffect } from '@preact/signals';
import type { Measurement, MeasurementInput } from 'larder-client';
import { useRef } from 'preact/hooks';
import { person, viewedPerson } from '../account/session.ts';
import { dateOf, shifted, today } from '../days.ts';
import { larder } from '../larder.ts';
import { changeCount } from '../offline/device.ts';
import { newId } from '../offline/ids.ts';
import { allOwn } from '../offline/own-lists.ts';
import { write } from '../offline/queue/write.ts';
import { removeOne, writeOne } from '../offline/queue/write-one.ts';
import { baseOf, type NewWrite, type Shown } from '../offline/queue/writes.ts';
import { WaitingMark } from '../offline/waiting-mark.tsx';
import { Icon } from '../parts/icon.tsx';
import { bodyUnit, inBodyUnit } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { tell } from '../parts/toast.tsx';
import { numbers, texts } from '../texts/texts.ts';
import { LineChart } from './line-chart.tsx';
import type { Period } from './periods.ts';
import { weightRange } from './weight-range.ts';

const NAME = 'weight';

/** Weight as it was measured, with a form to enter it. */
export function WeightTrend({ period }: { readonly period: Period }) {
  const measured = useSignal<readonly Shown<Measurement>[] | undefined>(undefined);
  const problem = useSignal('');
  const user = viewedPerson.value;
  const isOwn = user?.id === person.value?.id;
  /** Reads from before a later one are dropped. */
  const latest = useRef(0);
  const load = async () => {
    const { from, to } = period;
    const read = ++latest.current;
    const list = larder.user(user!.id).measurements.list({ name: NAME, from, to, limit: 100 });
    try {
      const all = isOwn ? await allOwn('measurement', list) : await list.all();
      if (read !== latest.current) return;
      measured.value = all.filter((each) => isIn(each, period)).toSorted(byTime);
      problem.value = '';
    } catch (error) {
      if (read === latest.current) problem.value = problemOf(error);
    }
  };
  useSignalEffect(() => {
    if (viewedPerson.value !== undefined && (!isOwn || changeCount.value >= 0)) void load();
  });
  const { trendsPage: all } = texts.value;
  return (
    <section
      class="trend"
      aria-label={all.weight}
      aria-busy={measured.value === undefined && problem.value === ''}
    >
      <Problem text={problem.value} onRetry={load} />
      {measured.value !== undefined && measured.value.length > 0 && <Weights measured={measured.value} />}
      {measured.value?.length === 0 && <p class="quiet">{all.noWeight}</p>}
      {isOwn && <WeightForm />}
      {isOwn && measured.value !== undefined && measured.value.length > 0 && (
        <WeightList measured={measured.value} />
      )}
    </section>
  );
}

function isIn({ name, time }: Measurement, { from, to }: Period): boolean {
  const day = time.slice(0, 10);
  return name === NAME && from <= day && day <= to;
}

function byTime(a: Measurement, b: Measurement): number {
  return Date.parse(a.time) - Date.parse(b.time);
}

function Weights({ measured }: { readonly measured: readonly Measurement[] }) {
  const { trendsPage: all } = texts.value;
  const points = measured.map(({ time, value, unit }) => ({
    day: time.slice(0, 10),
    value: inBodyUnit(value, unit),
  }));
  const format = (value: number) => `${numbers.value.precise(Math.round(value * 10) / 10)} ${bodyUnit.value}`;
  const last = points.at(-1)!;
  const change = last.value - points[0]!.value;
  const text = format(last.value);
  return (
    <>
      <p>
        <span class="number">{text}</span>{' '}
        <span class="quiet">
          {dateOf(last.day, { day: 'numeric', month: 'short' })}
          {points.length > 1 && ` · ${change > 0 ? '+' : change < 0 ? '−' : '±'}${format(Math.abs(change))}`}
        </span>
      </p>
      <LineChart points={points} label={`${all.weight}: ${text}`} format={format} />
    </>
  );
}

/** Weighs of the day that is chosen, at noon unless it is today. */
function WeightForm() {
  const { trendsPage: all, save, chooseDay } = texts.value;
  const value = useSignal('');
  const day = useSignal(today());
  const problem = useSignal('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const [min, max] = weightRange((kg) => inBodyUnit(kg, 'kg'));
    if (Number(value.value) < min || Number(value.value) > max) {
      const { whole } = numbers.peek();
      problem.value = all.weightRange(whole(min), whole(max), bodyUnit.peek());
      (event.currentTarget as HTMLFormElement).querySelector('input')?.focus();
      return;
    }
    try {
      const weight = { name: NAME, value: Number(value.value), unit: bodyUnit.peek() } as const;
      const addition = weightOf({ ...weight, time: timeOf(day.value) });
      await writeOne('measurement', addition);
      value.value = '';
      problem.value = '';
      tell(all.weightAdded, async () => {
        await write([{ kind: 'measurement', id: addition.id, op: 'remove' }]);
      });
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  return (
    <form class="weight-form" aria-label={all.enterWeight} onSubmit={(event) => void submit(event)}>
      <NumberField
        label={all.weight}
        unit={bodyUnit.value}
        value={value.value}
        isRequired
        onInput={(text) => {
          value.value = text;
        }}
      />
      <label>
        {chooseDay}
        <input
          type="date"
          required
          max={shifted(today(), 1)}
          value={day.value}
          onChange={({ currentTarget }) => {
            day.value = currentTarget.value === '' ? today() : currentTarget.value;
          }}
        />
      </label>
      <button type="submit" class="primary">
        {save}
      </button>
      <Problem text={problem.value} />
    </form>
  );
}

/** A new measurement of these values. */
function weightOf({ name, value, unit, time }: Omit<MeasurementInput, 'id'>): NewWrite {
  const id = newId();
  const now = new Date().toISOString();
  const body = { id, name, value, unit, time: time ?? now };
  const rest = { version: 0, userId: person.peek()!.id, createdAt: now, updatedAt: now };
  return { kind: 'measurement', id, op: 'add', body, preview: { ...body, ...rest } };
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
                {dateOf(each.time.slice(0, 10), {
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

/** Now for today, and noon of another day, with the offset of this device. */
function timeOf(day: string): string {
  const at = day === today() ? new Date() : new Date(`${day}T12:00:00`);
  const offset = -at.getTimezoneOffset();
  const local = new Date(at.getTime() + offset * 60_000).toISOString().slice(11, 19);
  const part = (minutes: number) => String(minutes).padStart(2, '0');
  const sign = offset < 0 ? '-' : '+';
  const whole = Math.abs(offset);
  return `${day}T${local}${sign}${part(Math.floor(whole / 60))}:${part(whole % 60)}`;
}
