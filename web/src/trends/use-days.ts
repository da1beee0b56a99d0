import { useSignal, useSignalEffect } from '@preact/signals';
import { type DatedTotals, type DiaryDay, type DiaryEntry, LarderError } from 'larder-client';
import { person, viewedPerson } from '../account/session.ts';
import { larder } from '../larder.ts';
import { changeCount, local } from '../offline/device.ts';
import { goalsOn, sumsOf } from '../offline/entries/day-sums.ts';
import { hasDays } from '../offline/own-lists.ts';
import { pause } from '../parts/pause.ts';
import { problemOf } from '../parts/problem.ts';
import { texts } from '../texts/texts.ts';
import { daysOf, type Period } from './periods.ts';

/** After so long without a change of the local copy its sums are compared with those of the service. */
const SETTLED_MS = 300;
const MAX_DAYS_LISTED = 100;

/** The days of a period. */
export interface ReadDays {
  /** Undefined until they are read. */
  readonly days?: readonly DatedTotals[];
  /** Their entries, where this device has them. */
  readonly entries?: readonly DiaryEntry[];
  /** Those that were marked as complete. */
  readonly complete?: readonly string[];
  /** Why they cannot be read. */
  readonly problem?: string;
}

/** Reads a period of whoever is viewed: the own diary as this device knows it at once, then by the service. */
export function useDays(period: Period): ReadDays & { readonly retry: () => void } {
  const read = useSignal<ReadDays>({});
  const attempts = useSignal(0);
  useSignalEffect(() => {
    const user = viewedPerson.value;
    if (user === undefined || attempts.value < 0) return;
    const reading = new AbortController();
    const show = (days: ReadDays) => {
      if (!reading.signal.aborted) read.value = days;
    };
    if (user.id !== person.value?.id)
      void readTold(user.id, period, reading.signal).then(show, showProblem(show));
    else if (changeCount.value >= 0) void readOwn(user.id, period, reading.signal, show);
    return () => reading.abort();
  });
  const retry = () => {
    read.value = {};
    attempts.value++;
  };
  return { ...read.value, retry };
}

type Show = (days: ReadDays) => void;

async function readOwn(userId: string, period: Period, signal: AbortSignal, show: Show): Promise<void> {
  const known = await localDays(period).catch(() => undefined);
  if (known === undefined) return readTold(userId, period, signal).then(show, showOffline(show));
  show(known);
  // What waits is in the sums of this device only.
  if (known.entries.some(({ waiting }) => waiting !== undefined)) return;
  // A write changes the local copy more than once; the service is asked once.
  await pause(SETTLED_MS);
  if (signal.aborted) return;
  await readTold(userId, period, signal, 0).then(
    ({ days }) => show({ ...known, days }),
    () => {},
  );
}

async function readTold(userId: string, period: Period, signal: AbortSignal, maxRetries?: number) {
  const options = { signal, ...(maxRetries !== undefined && { maxRetries }) };
  const user = larder.user(userId);
  const [days, noted] = await Promise.all([
    user.diary.totals({ ...period, remaining: true }, options),
    user.days.list({ ...period, limit: MAX_DAYS_LISTED }, options).all(),
  ]);
  return { days, complete: completeOf(noted) };
}

function showProblem(show: Show): (error: unknown) => void {
  return (error) => show({ problem: problemOf(error) });
}

function showOffline(show: Show): (error: unknown) => void {
  return (error) => {
    const isOffline = error instanceof LarderError && error.code === 'connection_failed';
    show({ problem: isOffline ? texts.peek().offline.trendNeedsService : problemOf(error) });
  };
}

/** Undefined if this device does not keep all of the days. */
async function localDays(period: Period) {
  if (!(await hasDays(period.from))) return undefined;
  const { copy } = local();
  const [entries, goals, noted] = await Promise.all([
    copy.entriesBetween(period.from, period.to),
    copy.goals(),
    copy.all('day'),
  ]);
  const byDay = Map.groupBy(entries, ({ date }) => date);
  const days = daysOf(period).map((date) => {
    const ofDay = byDay.get(date) ?? [];
    return { date, entries: ofDay.length, ...sumsOf(ofDay, goalsOn(goals, date)) };
  });
  return { days, entries, complete: completeOf(noted) };
}

function completeOf(noted: readonly DiaryDay[]): readonly string[] {
  return noted.filter(({ complete }) => complete === true).map(({ date }) => date);
}
