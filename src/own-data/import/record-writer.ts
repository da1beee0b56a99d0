import { isDeepStrictEqual } from 'node:util';
import { AppError, ConstraintError } from '@larder/core/errors.ts';
import type { Food, FoodId } from '@larder/core/food.ts';
import type { ChangeKind } from '../../db/writer.ts';
import type { DiaryOwner } from '../../diary/records/entry.ts';
import { KINDS } from '../../diary/records/record-kinds.ts';
import { isAlwaysThere } from '../../diary/records/user-record.ts';
import type { DiaryStore } from '../../diary/store/diary-store.ts';
import type { CustomFoodWriter } from '../../foods/custom/custom-food-writer.ts';
import { noCounts, RECORD_KINDS, type Reading, type ReadRecord, type RecordKind } from './reading.ts';

/** Maximum entries, measurements or other records in one transaction, which blocks other writers for some milliseconds. */
const RECORDS_AT_ONCE = 100;
/** Maximum recipes in one transaction, whose ingredients are long. */
const RECIPES_AT_ONCE = 16;
/** Maximum attempts at writing objects that another request writes or deletes concurrently. */
const MAX_ATTEMPTS = 20;

/** Number of records of one kind by result. */
export interface WrittenCounts {
  /** Records in the file. */
  found: number;
  /** Written ones, or in a preview those that would be written. */
  added: number;
  /** Existing ones, which are not changed. */
  present: number;
  /** Ones that were deleted after an earlier import, and remain deleted. */
  deleted: number;
  /** Ones with a problem. */
  refused: number;
  /** Ones that were not tried, because a quota was reached. */
  left: number;
}

export interface WriterPorts {
  readonly store: DiaryStore;
  readonly customFoods: CustomFoodWriter;
  readonly nowMs: () => number;
}

/** Reason for which an import ended before its last record. */
export interface StopReason {
  readonly code: string;
  readonly message: string;
}

export function noRecords(): Record<RecordKind, WrittenCounts> {
  const none = () => ({ found: 0, added: 0, present: 0, deleted: 0, refused: 0, left: 0 });
  return {
    foods: none(),
    recipes: none(),
    goals: none(),
    measurements: none(),
    entries: none(),
    records: none(),
  };
}

/**
 * Writes the new records of a file, identified by their ids. Existing ones are never changed. A preview
 * writes nothing.
 */
export class RecordWriter {
  readonly written = noRecords();
  stopped: StopReason | undefined;
  readonly #ports: WriterPorts;
  readonly #owner: DiaryOwner;
  readonly #reading: Reading;
  readonly #isPreview: boolean;
  /** Foods that got another id, by their id in the file. */
  readonly #newFoodIds = new Map<FoodId, FoodId>();

  constructor(
    ports: WriterPorts,
    { owner, reading, isPreview }: { owner: DiaryOwner; reading: Reading; isPreview: boolean },
  ) {
    this.#ports = ports;
    this.#owner = owner;
    this.#reading = reading;
    this.#isPreview = isPreview;
  }

  async write(): Promise<void> {
    const { records } = this.#reading;
    await this.#inSteps('foods', 1, ([food]) => this.#addFood(food!));
    await this.#findNewFoodIds();
    const { store, nowMs } = this.#ports;
    await this.#inSteps('recipes', RECIPES_AT_ONCE, (read) =>
      this.#addMissing('recipes', read, {
        changeKind: 'recipe',
        find: (ids) => store.recipes.findAll(this.#owner, ids),
        add: (records) => {
          const recipes = records.map((recipe) => ({
            ...recipe,
            ingredients: recipe.ingredients.map((each) => this.#withFood(each)),
          }));
          return store.recipes.add(this.#owner, recipes, undefined, nowMs());
        },
      }),
    );
    const known = new Map((await store.goals.list(this.#owner)).map((goals) => [goals.from, goals]));
    await this.#inSteps('goals', 1, async ([read]) => {
      const { line, record } = read!;
      const there = known.get(record.from);
      if (there === undefined) {
        if (!this.#isPreview) await store.goals.put(this.#owner, record);
        known.set(record.from, record);
        this.written.goals.added++;
        return;
      }
      this.written.goals.present++;
      if (!isDeepStrictEqual(there, record))
        this.#reading.problem(line, `There are other goals from ${record.from} on; they stay.`, 'from');
    });
    await this.#inSteps('measurements', RECORDS_AT_ONCE, (read) =>
      this.#addMissing('measurements', read, {
        changeKind: 'measurement',
        find: (ids) => store.measurements.findAll(this.#owner, ids),
        add: (records) => store.measurements.add(this.#owner, records, undefined, nowMs()),
      }),
    );
    await this.#inSteps('entries', RECORDS_AT_ONCE, (read) =>
      this.#addMissing('entries', read, {
        changeKind: 'entry',
        find: (ids) => store.findEntries(this.#owner, ids),
        add: (records) => {
          const entries = records.map((entry) => this.#withFood(entry));
          return store.addEntries(this.#owner, entries, undefined, nowMs());
        },
      }),
    );
    await this.#inSteps('records', RECORDS_AT_ONCE, async (read) => {
      for (const kind of KINDS) {
        const ofKind = read.filter(({ record }) => record.kind === kind.name);
        if (ofKind.length === 0) continue;
        await this.#addMissing('records', ofKind, {
          changeKind: kind.name,
          find: (ids) => store.records.of(kind).findAll(this.#owner, ids),
          add: (records) => {
            const known = records.map((record) => ({ ...record, body: this.#withFoods(record.body) }));
            const chosenAtMs = isAlwaysThere(kind) ? undefined : nowMs();
            return store.records.of(kind).add(this.#owner, known, undefined, chosenAtMs);
          },
        });
      }
    });
    for (const kind of RECORD_KINDS) {
      const { refused } = this.#reading;
      this.written[kind].refused = refused[kind];
      this.written[kind].found = records[kind].length + refused[kind] - this.#refusedLater[kind];
    }
  }

  /** Records that were read and then rejected, which are in both lists. */
  readonly #refusedLater = noCounts();

  /** Ends at the first record that exceeds a quota. */
  async #inSteps<Kind extends RecordKind>(
    kind: Kind,
    size: number,
    step: (records: readonly ReadRecord<Kind>[]) => Promise<void>,
  ): Promise<void> {
    const records = this.#reading.records[kind];
    for (let at = 0; at < records.length; at += size) {
      if (this.stopped === undefined) {
        try {
          await step(records.slice(at, at + size));
          continue;
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'quota_exceeded') throw error;
          this.stopped = { code: error.code, message: error.message };
        }
      }
      const { added, present, deleted } = this.written[kind];
      this.written[kind].left = records.length - added - present - deleted - this.#refusedLater[kind];
      return;
    }
  }

  #refuse(kind: RecordKind, line: number, error: unknown): void {
    if (error instanceof AppError && error.code === 'quota_exceeded') throw error;
    this.#reading.refuse(kind, line, error);
    this.#refusedLater[kind]++;
  }

  async #addFood({ line, record }: ReadRecord<'foods'>): Promise<void> {
    const { customFoods } = this.#ports;
    const { tenant, userId } = this.#owner;
    const food = { ...record, userId };
    try {
      const { isNew, food: kept } = await customFoods.restore(tenant, food, this.#isPreview);
      this.written.foods[isNew ? 'added' : 'present']++;
      if (kept.id !== record.id) this.#newFoodIds.set(record.id, kept.id);
    } catch (error) {
      if (error instanceof AppError && error.code === 'deleted') this.written.foods.deleted++;
      else this.#refuse('foods', line, error);
    }
  }

  /** Ids of foods that an earlier import wrote under another id, such as that of an earlier part of a split file. */
  async #findNewFoodIds(): Promise<void> {
    const { records } = this.#reading;
    const named = new Set<FoodId>();
    for (const { record } of records.entries)
      if (record.foodId?.startsWith('manual:')) named.add(record.foodId);
    for (const { record } of records.recipes)
      for (const { foodId } of record.ingredients) if (foodId?.startsWith('manual:')) named.add(foodId);
    for (const { record } of records.records)
      JSON.stringify(record.body, (key, value) => {
        if (key === 'foodId' && String(value).startsWith('manual:')) named.add(value);
        return value;
      });
    const unknown = [...named].filter((id) => !this.#newFoodIds.has(id));
    const { tenant, userId } = this.#owner;
    for (let at = 0; at < unknown.length; at += RECORDS_AT_ONCE) {
      const ids = unknown.slice(at, at + RECORDS_AT_ONCE);
      const others = ids.map((id) => this.#ports.customFoods.restoredId(tenant, userId, id));
      const seen = await this.#ports.customFoods.findAll({ tenant, userId }, [...ids, ...others]);
      for (const [index, id] of ids.entries())
        if (!seen.has(id) && seen.has(others[index]!)) this.#newFoodIds.set(id, others[index]!);
    }
  }

  #withFood<Named extends { readonly foodId?: Food['id'] }>(named: Named): Named {
    const id = named.foodId && this.#newFoodIds.get(named.foodId);
    return id === undefined ? named : { ...named, foodId: id };
  }

  /** A body with the new ids of its foods, at any depth. */
  #withFoods<Body>(body: Body): Body {
    if (this.#newFoodIds.size === 0) return body;
    return JSON.parse(JSON.stringify(body), (key, value) =>
      key === 'foodId' ? (this.#newFoodIds.get(value) ?? value) : value,
    );
  }

  /** Writes the new ones in one transaction; if a day or the table is full, one by one. */
  async #addMissing<Kind extends 'recipes' | 'entries' | 'measurements' | 'records'>(
    kind: Kind,
    read: readonly ReadRecord<Kind>[],
    table: RecordTable<ReadRecord<Kind>['record']>,
  ): Promise<void> {
    const written = this.written[kind];
    for (let attempt = 1; ; attempt++) {
      const ids = read.map(({ record }) => record.id);
      const known = new Set((await table.find(ids)).map(({ id }) => id));
      const deleted = await this.#ports.store.findDeleted(this.#owner, table.changeKind, ids);
      const missing = new Map<string, ReadRecord<Kind>>();
      let present = 0;
      for (const each of read) {
        const { id } = each.record;
        if (known.has(id) || missing.has(id)) present++;
        else if (!deleted.has(id)) missing.set(id, each);
      }
      try {
        await this.#insert(kind, [...missing.values()], table);
      } catch (error) {
        if (!(error instanceof ConstraintError) || attempt === MAX_ATTEMPTS) throw error;
        continue;
      }
      written.present += present;
      written.deleted += read.length - present - missing.size;
      return;
    }
  }

  async #insert<Kind extends 'recipes' | 'entries' | 'measurements' | 'records'>(
    kind: Kind,
    read: readonly ReadRecord<Kind>[],
    table: RecordTable<ReadRecord<Kind>['record']>,
  ): Promise<void> {
    if (read.length === 0) return;
    try {
      if (!this.#isPreview) await table.add(read.map(({ record }) => record));
      this.written[kind].added += read.length;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'quota_exceeded') throw error;
      if (read.length === 1) return this.#refuse(kind, read[0]!.line, error);
      for (const each of read) await this.#insert(kind, [each], table);
    }
  }
}

/** Functions that look up and write records of one kind. */
interface RecordTable<T> {
  readonly changeKind: ChangeKind;
  readonly find: (ids: readonly string[]) => Promise<readonly { readonly id: string }[]>;
  readonly add: (records: readonly T[]) => Promise<void>;
}
