import type { SqlDatabase } from '../../db/sql-database.ts';
import { habitsOf } from '../../diary/eaten-foods.ts';
import { todayIn } from '../../diary/records/day.ts';
import { SETTINGS } from '../../diary/records/record-kinds.ts';
import { DiaryStore } from '../../diary/store/diary-store.ts';
import { PeopleStore } from '../../people/people-store.ts';
import { HOUSEHOLD } from '../../people/person.ts';
import type { Habits } from '../../scan/analysis/habits.ts';
import type { ScanJob } from '../../scan/scan-job.ts';

/** Maximum latest entries that are read for one photo: of the owner of the scan, and of each of some who share their diary. */
const MAX_OWN_ENTRIES = 500;
const MAX_ENTRIES_OF_ANOTHER = 125;
const MAX_OTHERS = 8;

/** Reads what the owners of scans eat, as far as the credential that created the scan may read diaries. */
export class ScanHabits {
  readonly #diary: DiaryStore;
  readonly #people: PeopleStore;
  readonly #nowMs: () => number;

  constructor(database: SqlDatabase, nowMs: () => number) {
    this.#diary = new DiaryStore(database);
    this.#people = new PeopleStore(database);
    this.#nowMs = nowMs;
  }

  /** Undefined where no diary may be used. */
  async of({
    tenant,
    userId,
    diaries,
  }: Pick<ScanJob, 'tenant' | 'userId' | 'diaries'>): Promise<Habits | undefined> {
    if (userId === undefined || diaries === undefined) return undefined;
    const owner = { tenant, userId };
    const settings = await this.#diary.records.find(owner, SETTINGS, SETTINGS.name);
    if (settings?.body['eatenFirst'] === false) return undefined;
    const sharers = diaries === 'shared' && tenant === HOUSEHOLD ? await this.#sharersWith(userId) : [];
    const [own, ...others] = await Promise.all([
      this.#diary.listLatestFoods(owner, MAX_OWN_ENTRIES),
      ...sharers.map((id) => this.#diary.listLatestFoods({ tenant, userId: id }, MAX_ENTRIES_OF_ANOTHER)),
    ]);
    return habitsOf(own!, others.flat(), todayIn('UTC', this.#nowMs()));
  }

  /** People of the household whose diary this person may read now; none for a person who has left. */
  async #sharersWith(personId: string): Promise<readonly string[]> {
    if ((await this.#people.findPerson(personId)) === undefined) return [];
    return [...(await this.#people.rightsOf(personId)).keys()].slice(0, MAX_OTHERS);
  }
}
