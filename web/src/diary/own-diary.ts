import type { DiaryEntry, EatenFood, Food, GoalAmounts } from 'larder-client';
import type { Day } from '../days.ts';
import { larder } from '../larder.ts';
import { changeCount, local } from '../offline/device.ts';
import { goalsOn } from '../offline/entries/day-sums.ts';
import { knownFoods } from '../offline/entries/local-foods.ts';
import type { KnownFoods } from '../offline/entries/previews.ts';
import { newId } from '../offline/ids.ts';
import type { LocalCopy } from '../offline/local-copy.ts';
import { hasDays } from '../offline/own-lists.ts';
import { type Taken, write } from '../offline/queue/write.ts';
import type { NewWrite, ShownEntry } from '../offline/queue/writes.ts';
import { problemOf } from '../parts/problem.ts';
import type { Diary } from './diary.ts';

const MAX_RECENTS = 50;

/** The diary of who is signed in: this device keeps it, and its writes wait until the service takes them. */
export class OwnDiary implements Diary {
  readonly userId: string;
  readonly isKept = true;
  readonly changes = changeCount;
  readonly problemOf = problemOf;
  // Writes that wait keep their ids.
  readonly idFor = () => newId();

  constructor(userId: string) {
    this.userId = userId;
  }

  async kept(day: Day): Promise<readonly ShownEntry[] | undefined> {
    try {
      const copy = this.#copy();
      return (await hasDays(day)) ? await copy.entriesOf(day) : undefined;
    } catch {
      return undefined;
    }
  }

  async withWaiting(day: Day, known: readonly DiaryEntry[]): Promise<readonly ShownEntry[]> {
    try {
      const all = await this.#copy().withWaiting('entry', known);
      return all.filter(({ date }) => date === day);
    } catch {
      // Without its database the page shows what the service answers.
      return known;
    }
  }

  async goals(day: Day): Promise<GoalAmounts | undefined> {
    try {
      return goalsOn(await this.#copy().goals(), day);
    } catch {
      return undefined;
    }
  }

  async recents(): Promise<readonly EatenFood[]> {
    const kept = await this.#copy()
      .note('recents')
      .catch(() => undefined);
    return kept ?? (await larder.user(this.userId).foods.recent({ limit: MAX_RECENTS }));
  }

  known(input: object, food?: Food): Promise<KnownFoods> {
    return knownFoods(input, food);
  }

  async find(id: string): Promise<DiaryEntry> {
    const kept = await this.#copy()
      .find<DiaryEntry>('entry', id)
      .catch(() => undefined);
    return kept ?? (await larder.user(this.userId).diary.get(id));
  }

  async write(wanted: readonly NewWrite[]): Promise<Taken> {
    this.#copy();
    return write(wanted);
  }

  /** Throws where somebody else has signed in meanwhile. */
  #copy(): LocalCopy {
    const { userId, copy } = local();
    if (userId !== this.userId) throw new Error('Somebody else is signed in.');
    return copy;
  }
}
