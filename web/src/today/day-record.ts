import { effect, signal, untracked } from '@preact/signals';
import type { DiaryDay, Measurement } from 'larder-client';
import type { Day } from '../days.ts';
import type { Diary } from '../diary/diary.ts';
import { diary } from '../diary/shown-diary.ts';
import { larder } from '../larder.ts';
import { local } from '../offline/device.ts';
import { changeOf } from '../offline/own-records.ts';
import { refusalOf, type Taken } from '../offline/queue/write.ts';
import type { Shown } from '../offline/queue/writes.ts';
import { tell } from '../parts/toast.tsx';
import { additionOfMeasurement, momentOf } from '../trends/new-measurement.ts';
import { attempt, day } from './day-store.ts';

export const WATER_NAME = 'water';
/** One tap adds a glass. */
const GLASS_ML = 250;
const US_GLASS_ML = 236.588;

/** What was noted about the day that is shown. */
export const dayRecord = signal<Shown<DiaryDay> | undefined>(undefined);
/** What was drunk on it. */
export const waterMl = signal<number | undefined>(undefined);

/** Reads of another day are dropped. */
let latest = 0;
/** Notes of this page that its copy may not have yet; what it reads meanwhile is older than what is shown. */
let noting = 0;

effect(() => {
  const of = diary.value;
  const shown = day.value;
  const isNew = (of?.changes.value ?? 0) >= 0;
  if (of !== undefined && isNew) untracked(() => void read(of, shown));
});

effect(() => {
  if (day.value === undefined || diary.value === undefined) return;
  dayRecord.value = undefined;
  waterMl.value = undefined;
});

async function read(of: Diary, shown: Day): Promise<void> {
  const reading = ++latest;
  try {
    const [record, measured] = of.isKept ? await kept(shown) : await told(of.userId, shown);
    if (reading !== latest) return;
    if (noting === 0) dayRecord.value = record;
    waterMl.value = measured.reduce((sum, { value, unit }) => sum + (unit === 'l' ? value * 1000 : value), 0);
  } catch {
    // What is unknown is not shown; the day itself says what is wrong.
  }
}

async function kept(shown: Day) {
  const { copy } = local();
  const [record, measured] = await Promise.all([copy.findShown('day', shown), copy.all('measurement')]);
  return [record, measured.filter((each) => isWaterOf(each, shown))] as const;
}

async function told(userId: string, shown: Day) {
  const user = larder.user(userId);
  const range = { name: WATER_NAME, from: shown, to: shown };
  return Promise.all([user.days.get(shown), user.measurements.list(range).all()]);
}

function isWaterOf({ name, measuredAt, unit }: Measurement, of: Day): boolean {
  return name === WATER_NAME && measuredAt.startsWith(of) && (unit === 'ml' || unit === 'l');
}

/** What one tap adds, in milliliters. */
export function glassMl(stepMl: number | undefined, isUs: boolean): number {
  return stepMl ?? (isUs ? US_GLASS_ML : GLASS_ML);
}

/** Notes something about the day that is shown; null removes it. */
export async function noteDay(patch: { note?: string | null; complete?: boolean }): Promise<void> {
  const of = diary.peek()!;
  noting++;
  await attempt(of, async () => {
    const change = changeOf('day', day.peek(), dayRecord.peek(), patch);
    // It is seen at once, and read again when it is written.
    dayRecord.value = change.preview as Shown<DiaryDay>;
    await settled(await of.write([change]));
  }).finally(() => {
    noting--;
  });
  if (noting === 0 && diary.peek() === of) await read(of, day.peek());
}

/** Adds water to the day that is shown; "Undo" takes it away. */
export async function addWater(ml: number, text: string): Promise<void> {
  const of = diary.peek()!;
  await attempt(of, async () => {
    const water = { name: WATER_NAME, value: Math.round(ml * 10) / 10, unit: 'ml' as const };
    const addition = additionOfMeasurement(of.userId, { ...water, measuredAt: momentOf(day.peek()) });
    const taken = await of.write([addition]);
    await settled(taken);
    tell(text, () =>
      attempt(of, async () => {
        if (await taken.cancel()) return;
        await of.write([{ kind: 'measurement', id: addition.id, op: 'remove' }]);
      }),
    );
  });
}

/** Throws what the service refused. */
async function settled(taken: Taken): Promise<void> {
  const refusal = refusalOf(taken.left);
  if (refusal === undefined) return;
  await taken.discard();
  throw refusal;
}
