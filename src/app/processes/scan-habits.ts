import { type Food, recipeIdOf } from '@larder/core/food.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { habitsOf } from '../../diary/eaten-foods.ts';
import { recipeFood } from '../../diary/recipe-foods.ts';
import { todayIn } from '../../diary/records/day.ts';
import type { DiaryOwner } from '../../diary/records/entry.ts';
import { SETTINGS } from '../../diary/records/record-kinds.ts';
import { DiaryStore } from '../../diary/store/diary-store.ts';
import { PHOTO_LIMITS } from '../../diary/store/remembered-photo-store.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { PeopleStore } from '../../people/people-store.ts';
import { HOUSEHOLD } from '../../people/person.ts';
import type { Habits } from '../../scan/analysis/habits.ts';
import type { RememberedPhoto } from '../../scan/analysis/photo-memory.ts';
import type { ScanJob } from '../../scan/scan-job.ts';

/** Maximum latest entries that are read for one photo: of the owner of the scan, and of each of some who share their diary. */
const MAX_OWN_ENTRIES = 500;
const MAX_ENTRIES_OF_ANOTHER = 125;
const MAX_OTHERS = 8;
/** Maximum latest photos of each of these that are compared. */
const MAX_PHOTOS_OF_ANOTHER = 250;

export interface ScanHabitsOptions {
  readonly sql: SqlDatabase;
  /** Foods that the scan's owner sees, and by ids those of people who share their diary. */
  readonly foods: Pick<FoodDirectory, 'findById'>;
  readonly nowMs: () => number;
}

/** Reads what the owners of scans eat, as far as the credential that created the scan may read diaries. */
export class ScanHabits {
  readonly #diary: DiaryStore;
  readonly #people: PeopleStore;
  readonly #foods: ScanHabitsOptions['foods'];
  readonly #nowMs: () => number;

  constructor({ sql, foods, nowMs }: ScanHabitsOptions) {
    this.#diary = new DiaryStore(sql);
    this.#people = new PeopleStore(sql);
    this.#foods = foods;
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
    const settings = await this.#diary.records.of(SETTINGS).find(owner, SETTINGS.name);
    if (settings?.body['eatenFirst'] === false) return undefined;
    const sharers = diaries === 'shared' && tenant === HOUSEHOLD ? await this.#sharersWith(userId) : [];
    const [own, ...others] = await Promise.all([
      this.#diary.listLatestFoods(owner, MAX_OWN_ENTRIES),
      ...sharers.map((id) => this.#diary.listLatestFoods({ tenant, userId: id }, MAX_ENTRIES_OF_ANOTHER)),
    ]);
    return {
      ...habitsOf(own!, others.flat(), todayIn('UTC', this.#nowMs())),
      memory: {
        photosOf: (network) => this.#photosOf(owner, sharers, network),
        findFood: (id) => this.#findFood(owner, sharers, id),
      },
    };
  }

  /** Deletes the owner's photo vectors that an earlier network made. */
  async #photosOf(
    owner: DiaryOwner,
    sharers: readonly string[],
    network: string,
  ): Promise<readonly RememberedPhoto[]> {
    const { photos } = this.#diary;
    const [own, ...others] = await Promise.all([
      photos.listLatest(owner, PHOTO_LIMITS.ofUser),
      ...sharers.map((userId) => photos.listLatest({ ...owner, userId }, MAX_PHOTOS_OF_ANOTHER)),
    ]);
    if (own!.some((photo) => photo.network !== network)) await photos.dropOthers(owner, network);
    const comparable = (kept: typeof own) => kept!.filter((photo) => photo.network === network);
    return [
      ...comparable(own).map(({ foodId, date, vector }) => ({ foodId, date, vector: signed(vector) })),
      ...others.flatMap(comparable).map(({ foodId, vector }) => ({ foodId, vector: signed(vector) })),
    ];
  }

  async #findFood(owner: DiaryOwner, sharers: readonly string[], id: string): Promise<Food | undefined> {
    const { tenant, userId } = owner;
    const recipeId = recipeIdOf(id);
    if (recipeId === undefined) return this.#foods.findById({ ...owner, sharers }, id);
    const recipe = await this.#diary.recipes.findOf(tenant, [userId, ...sharers], recipeId);
    return recipe && recipeFood(recipe, userId);
  }

  /** People of the household whose diary this person may read now; none for a person who has left. */
  async #sharersWith(personId: string): Promise<readonly string[]> {
    if ((await this.#people.findPerson(personId)) === undefined) return [];
    return [...(await this.#people.rightsOf(personId)).keys()].slice(0, MAX_OTHERS);
  }
}

function signed({ buffer, byteOffset, byteLength }: Uint8Array): Int8Array {
  return new Int8Array(buffer, byteOffset, byteLength);
}
