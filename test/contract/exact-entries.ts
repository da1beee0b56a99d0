import { randomBytes } from 'node:crypto';
import type { Food } from '@larder/core/food.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Diary } from '../../src/diary/diary.ts';
import type { EntryInput } from '../../src/diary/entry-input.ts';
import { RecipeBook } from '../../src/diary/recipe-book.ts';
import { type Day, oneDay } from '../../src/diary/records/day.ts';
import {
  AMOUNT_KEYS,
  AMOUNT_LIMITS,
  type AmountKey,
  COLUMN_AMOUNTS,
  type DiaryEntry,
  type DiaryOwner,
  MAX_DAY_ENTRIES,
} from '../../src/diary/records/entry.ts';
import { toDecimal } from '../../src/diary/records/exact-amount.ts';
import { snapshotAt } from '../../src/diary/records/snapshot.ts';
import type { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { newEntry } from '../support/diary-entries.ts';
import { listedFoods } from '../support/listed-foods.ts';
import { runs } from '../support/runs.ts';
import { sampleFood } from '../support/sample-foods.ts';

const DAY = '2026-01-31' as Day;
const by = { date: DAY, mealType: 'lunch' } as const;

/** Some of the optional amounts, of any size. */
const OTHERS = {
  sugars: 12.23,
  saturatedFat: 0.112,
  transFat: 0,
  potassium: 358,
  iron: 0.26,
  vitaminD: 1 / 3,
  magnesium: 27.3,
  vitaminC: 2 / 3,
  dha: 0,
};
const banana = sampleFood('fdc', '7', {
  name: 'Banana, raw',
  per100: { energy: 97, protein: 0.74, carbohydrates: 23, fat: 0.29, fiber: 1.7, sodium: 1, ...OTHERS },
  servings: [
    { value: 1, unit: 'banana', basisAmount: 126 },
    { value: 1, unit: 'cup', basisAmount: 150, label: '1 cup, mashed' },
  ],
});
const MILLION = 1_000_000n;
/** Meals whose energies add up to 40 billionths less than a half. */
const NEARLY_A_HALF = [
  { energy: 87_010, protein: 0, servings: 6 },
  { energy: 99_987, protein: 0, servings: 17 },
  { energy: 54_466, protein: 0, servings: 5 },
  { energy: 51_533, protein: 0, servings: 30 },
  { energy: 7, protein: 0, servings: 29 },
  { energy: 60_738, protein: 0, servings: 27 },
  { energy: 21_208, protein: 0, servings: 27 },
];
/** The banana has conversions for all of them; volumes use its cup. */
const UNITS = [
  'g',
  'mg',
  'kg',
  'oz',
  'lb',
  'ml',
  'l',
  'fl_oz',
  'tbsp',
  'cup',
  'serving',
  'banana',
  'bananas',
];

/** A quantity of any magnitude: 1e-9 to 1e6. */
const quantity = fc
  .tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: -9, max: 2 }))
  .map(([digits, exponent]) => digits * 10 ** exponent);
const amount = fc.record({ quantity, unit: fc.constantFrom(...UNITS) });
const changes = fc.array(fc.oneof(amount, fc.record({ quantity })), { minLength: 1, maxLength: 8 });

/** Contract of computed entries, for any store. */
export function exactEntriesContract({
  store,
  newOwner,
}: {
  store: () => DiaryStore;
  newOwner: () => DiaryOwner;
}): void {
  const openDiary = (foods: Food[] = []) => {
    const ports = {
      store: store(),
      foods: listedFoods(foods),
      scans: { find: async () => undefined },
      nowMs: Date.now,
      randomBytes,
    };
    return { diary: new Diary(ports), recipes: new RecipeBook(ports) };
  };
  /** Changes that exceed an entry (tons of banana) are rejected; all others are made. */
  const change = async (diary: Diary, owner: DiaryOwner, id: string, to: Partial<EntryInput>) => {
    try {
      await diary.change(owner, id, to);
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_request', details: { fields: ['quantity', 'unit'] } });
    }
  };
  const withoutTimes = ({ version: _, updatedAt: __, ...entry }: DiaryEntry) => entry;
  const totalsOf = async (owner: DiaryOwner) => (await store().sumDays(owner, oneDay(DAY)))[0]?.totals;

  test('an entry that returns to its first quantity and unit has its first amounts', async () => {
    const owner = newOwner();
    await fc.assert(
      fc.asyncProperty(amount, changes, async (first, between) => {
        const foods = [banana];
        const { diary, recipes } = openDiary(foods);
        const { recipe } = await recipes.create(owner, {
          name: 'Shake',
          servings: 3,
          ingredients: [{ foodId: banana.id, quantity: 1, unit: 'g' }],
        });
        const typed = {
          foodName: 'Soup',
          calories: 0.001,
          protein: 7.777,
          carbs: 1,
          fat: 0,
          fiber: 0.005,
          nutrients: { iron: 0.007, calcium: 1e5 },
        };
        const made = await Promise.all([
          diary.create(owner, [{ ...by, foodId: banana.id, ...first }]).catch(() => []),
          diary.create(owner, [{ ...by, ...typed, quantity: first.quantity, unit: 'bowl' }]),
          diary
            .create(owner, [{ ...by, recipeId: recipe.id, quantity: first.quantity, unit: 'serving' }])
            .catch(() => []),
        ]);
        // From here on the food does not exist any more.
        foods.pop();
        for (const entry of made.flat()) {
          for (const { quantity, ...unit } of between) {
            await change(diary, owner, entry.id, {
              quantity,
              ...(entry.foodId === undefined ? {} : unit),
            });
          }
          await diary.change(owner, entry.id, { quantity: entry.quantity!, unit: entry.unit! });
          const last = await diary.get(owner, entry.id);
          // A typed entry gets its basis with the first change.
          expect({ ...withoutTimes(last), basis: entry.basis }).toEqual({ ...withoutTimes(entry) });
          await diary.remove(owner, entry.id);
        }
      }),
      { numRuns: runs(25) },
    );
  });

  test('an entry does not depend on the order of changes to its quantity and unit', async () => {
    const owner = newOwner();
    await fc.assert(
      fc.asyncProperty(amount, changes, amount, async (first, between, last) => {
        const { diary } = openDiary([banana]);
        const make = (of: typeof first) =>
          diary.create(owner, [{ ...by, foodId: banana.id, ...of }]).catch(() => []);
        const [changed] = await make(first);
        const [direct] = await make(last);
        fc.pre(changed !== undefined && direct !== undefined);
        for (const to of [...between, last]) await change(diary, owner, changed.id, to);
        const { amounts, basis } = await diary.get(owner, changed.id);
        expect({ amounts, basis }).toEqual({ amounts: direct.amounts, basis: direct.basis });
      }),
      { numRuns: runs(25) },
    );
  });

  test('entered amounts are the basis of later quantities, and other amounts keep theirs', async () => {
    const owner = newOwner();
    const { diary } = openDiary([banana]);
    const [{ id }] = (await diary.create(owner, [{ ...by, foodId: banana.id, quantity: 1, unit: 'g' }])) as [
      DiaryEntry,
    ];
    await diary.change(owner, id, { protein: 0.01, quantity: 2 });
    const back = await diary.change(owner, id, { quantity: 200 });
    // 0.01 g was stated for 2 g; the fat of 1 g is kept unrounded, and is now that of 2 g.
    expect(back.amounts).toMatchObject({ protein: 1000, fat: 290 });
    expect((await diary.change(owner, id, { unit: 'banana', quantity: 1 })).amounts.protein).toBe(630);
  });

  test('sums are computed from unrounded amounts and rounded once', async () => {
    const owner = newOwner();
    const { diary } = openDiary([banana]);
    // 0.005 g of it contain 0.000037 g of protein, which is returned as 0.
    const crumb: EntryInput = { ...by, foodId: banana.id, quantity: 5, unit: 'mg' };
    const crumbs = await diary.create(owner, Array<EntryInput>(100).fill(crumb));
    expect(crumbs[0]?.amounts.protein).toBe(0);
    expect(await totalsOf(owner)).toMatchObject({ protein: 4, calories: 485, carbs: 115, fat: 1, sodium: 5 });
    await diary.copy(owner, { from: DAY, to: '2026-02-01' });
    expect((await diary.totals(owner, oneDay('2026-02-01' as Day)))[0]?.totals).toEqual(
      await totalsOf(owner),
    );
  });

  test('sums equal rational arithmetic to the last digit, unless they lie a billionth an entry below a half', async () => {
    const stated = fc.nat(99_999);
    const eaten = fc.record({ energy: stated, protein: stated, servings: fc.integer({ min: 1, max: 30 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(eaten, { minLength: 1, maxLength: 40 }), async (meals) => {
        const owner = newOwner();
        const { diary, recipes } = openDiary();
        for (const { energy, protein, servings } of meals) {
          const typed = {
            foodName: 'Dough',
            calories: energy / 1000,
            protein: protein / 1000,
            carbs: 0,
            fat: 0,
            nutrients: { iron: protein / 1000 },
          };
          const recipe = { name: 'Bread', servings, ingredients: [typed] };
          const {
            recipe: { id },
          } = await recipes.create(owner, recipe);
          await diary.create(owner, [{ ...by, recipeId: id, quantity: 1, unit: 'serving' }]);
        }
        // In thousandths: a sum of fractions over one denominator, rounded half up. Each entry is kept in billionths, so
        // a sum that lies at most as many billionths below a half as there are entries may be rounded up, too.
        const denominator = meals.reduce((product, { servings }) => product * BigInt(servings), 1n);
        const exact = (of: (meal: (typeof meals)[0]) => number) => {
          const sum = meals.reduce(
            (total, meal) => total + (BigInt(of(meal)) * denominator) / BigInt(meal.servings),
            0n,
          );
          const rounded = (billionths: number) =>
            Number(
              (2n * sum * MILLION + denominator * (MILLION + 2n * BigInt(billionths))) /
                (2n * denominator * MILLION),
            );
          return expect.toSatisfy((total) => total === rounded(0) || total === rounded(meals.length));
        };
        expect(await totalsOf(owner)).toMatchObject({
          calories: exact(({ energy }) => energy),
          protein: exact(({ protein }) => protein),
          iron: exact(({ protein }) => protein),
        });
      }),
      { numRuns: runs(10), examples: [[NEARLY_A_HALF]] },
    );
  });

  test('sums of random entries equal naive sums and mark unknown amounts', async () => {
    const stated = fc.record(
      Object.fromEntries(AMOUNT_KEYS.map((key) => [key, fc.nat(AMOUNT_LIMITS[key] * 1000)])) as Record<
        AmountKey,
        fc.Arbitrary<number>
      >,
      { requiredKeys: ['calories', 'protein', 'carbs', 'fat'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(stated, { minLength: 1, maxLength: 30 }), async (entries) => {
        const owner = newOwner();
        const amounts = (of: (typeof entries)[0]) =>
          Object.fromEntries(Object.entries(of).map(([key, amount]) => [key, amount / 1000]));
        await store().addEntries(
          owner,
          entries.map((of) => newEntry({ date: DAY, amounts: amounts(of) })),
        );
        const [sums] = await store().sumDays(owner, oneDay(DAY));
        const totals: Partial<Record<AmountKey, number>> = { fiber: 0, sodium: 0 };
        for (const of of entries) {
          for (const [key, amount] of Object.entries(of) as [AmountKey, number][]) {
            totals[key] = (totals[key] ?? 0) + amount;
          }
        }
        expect(sums?.totals).toEqual(totals);
        const lacking = AMOUNT_KEYS.filter((key) => key in totals && entries.some((of) => !(key in of)));
        expect(sums?.incomplete).toEqual(lacking);
      }),
      { numRuns: runs(25) },
    );
  });

  test('an amount above the maximum is unknown, and known again for a smaller quantity', async () => {
    const owner = newOwner();
    const salty = { ...banana, per100: { ...banana.per100, potassium: 90_000 } };
    const { diary } = openDiary([salty]);
    const [{ id }] = (await diary.create(owner, [{ ...by, foodId: salty.id, quantity: 200, unit: 'g' }])) as [
      DiaryEntry,
    ];
    expect((await diary.get(owner, id)).amounts).not.toHaveProperty('potassium');
    expect((await diary.change(owner, id, { quantity: 100 })).amounts.potassium).toBe(90_000_000);
  });

  test('the largest possible day is summed exactly', async () => {
    const owner = newOwner();
    // The maximum of an amount, reduced by so little that it rounds to the same, with the largest possible
    // rest.
    const least = 0.0005;
    const keys = [...COLUMN_AMOUNTS, 'magnesium', 'vitaminAIu'] as const;
    const amounts = Object.fromEntries(keys.map((key) => [key, AMOUNT_LIMITS[key] - least]));
    const full = snapshotAt({ amounts, quantity: 1, unit: 'ton' }, 1, 'ton', 'Everything');
    for (let at = 0; at < MAX_DAY_ENTRIES; at += 5_000) {
      await store().addEntries(
        owner,
        Array.from({ length: 5_000 }, () => ({
          ...newEntry({ date: DAY }),
          quantity: 1,
          unit: 'ton',
          ...full,
        })),
      );
    }
    const sums = (await totalsOf(owner))!;
    for (const key of keys) {
      const each = BigInt(AMOUNT_LIMITS[key]) * 10_000n - BigInt(least * 10_000);
      expect(BigInt(Math.round(toDecimal(sums[key]!) * 1000)) * 10n).toBe(each * BigInt(MAX_DAY_ENTRIES));
    }
  });
}
