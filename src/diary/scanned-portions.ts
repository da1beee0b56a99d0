import { AppError, type DetailsOf } from '@larder/core/errors.ts';
import { type Food, recipeIdOf, type Serving } from '@larder/core/food.ts';
import { FURTHER_KEYS } from '@larder/core/nutrients.ts';
import type { FoodDirectory } from '../foods/visible-foods.ts';
import type { ScanJob, ScanViewer } from '../scan/scan-job.ts';
import type { ScanItem } from '../scan/scan-result.ts';
import type { ScanChoice, ScannedItemInput } from './entry-input.ts';
import { type Portion, type PortionOptions, toPortion } from './portion.ts';
import { type DiaryOwner, parseFoodName, parseUnit } from './records/entry.ts';
import { inElement, invalidField } from './records/invalid-field.ts';
import {
  type AmountBasis,
  amountsOf,
  isSameUnit,
  snapshotAt,
  type UnroundedAmounts,
} from './records/snapshot.ts';
import { MAX_UNIT_CHARACTERS } from './records/unit-conversion.ts';
import { findStandardUnit, normaliseUnit } from './records/units.ts';

/** The diary's access to scans. */
export interface ScanLookup {
  /** Returns undefined if the viewer may see no scan with this id. */
  find(viewer: ScanViewer, jobId: string): Promise<ScanJob | undefined>;
}

export interface ScannedOptions extends PortionOptions {
  readonly scans: ScanLookup;
  readonly foods: PortionOptions['foods'] & FoodDirectory;
}

/** A scan with a portion for each chosen item. */
export interface ScannedPortions {
  readonly job: ScanJob;
  readonly portions: readonly Portion[];
}

/** Returns a portion for each chosen item of a completed scan. Scans of others than the viewer are treated as missing; a viewer without a user uses those of the diary's owner. */
export async function scannedPortions(
  jobId: string,
  choice: ScanChoice,
  { owner, viewer }: { readonly owner: DiaryOwner; readonly viewer: ScanViewer },
  options: ScannedOptions,
): Promise<ScannedPortions> {
  const job = await options.scans.find(viewer, jobId);
  // A user who writes another person's diary uses their own scans.
  const scanner = viewer.userId ?? owner.userId;
  if (job === undefined || (job.userId ?? scanner) !== scanner) {
    throw new AppError({
      code: 'scan_job_not_found',
      message: 'There is no scan with this id.',
      details: { fields: ['scanJobId'] },
    });
  }
  if (job.failure !== undefined) {
    throw unusable(
      'failed',
      `This scan has failed, so there is nothing to write down: ${job.failure.message}`,
    );
  }
  if (job.result === undefined) {
    throw unusable(job.status, 'This scan is not finished yet; send it again when it is completed.');
  }
  const { items, receipt } = job.result;
  if (receipt !== undefined) {
    throw unusable(
      'completed',
      'This scan is of a receipt, which says what was bought and not what was eaten: send the foods that were eaten by their "foodId".',
    );
  }
  if (choice.items === undefined) {
    if (choice.saveUnsure !== true) refuseUnsure(items);
    return { job, portions: await Promise.all(items.map((item) => itemPortion(item, {}, owner, options))) };
  }
  const portions = await Promise.all(
    choice.items.map(async (chosen, at, all) => {
      try {
        const item = items[chosen.index];
        if (item === undefined) throw noSuchItem(items.length);
        if (all.findIndex(({ index }) => index === chosen.index) < at) throw listedTwice();
        return await itemPortion(item, chosen, owner, options);
      } catch (error) {
        throw inElement(at, error, 'items');
      }
    }),
  );
  return { job, portions };
}

/** Refuses items that the user has not confirmed, because a guess must not become a diary entry. */
function refuseUnsure(items: readonly ScanItem[]): void {
  const unsure = [...items.entries()].filter(([, item]) => item.unsure);
  if (unsure.length === 0) return;
  const names = unsure.map(([, { name }]) => `"${name}"`).join(' and ');
  throw unusable(
    'completed',
    `The scan is unsure of ${names}, so nothing was written. Let the user choose and send "items", or send "saveUnsure": true.`,
    { unsure: unsure.map(([index]) => index) },
  );
}

type ItemChange = Omit<ScannedItemInput, 'index'>;
type AmountChange = Omit<ItemChange, 'name' | 'foodId' | 'servingGrams'>;

async function itemPortion(
  item: ScanItem,
  { foodId = item.foodId, name, servingGrams, ...amount }: ItemChange,
  owner: DiaryOwner,
  options: ScannedOptions,
): Promise<Portion> {
  const named = name !== undefined && { foodName: parseFoodName(name, 'name') };
  const viewer = { ...owner, sharers: options.sharers };
  const weight = weightOf(item, servingGrams);
  const food = foodId === undefined ? undefined : await options.foods.findById(viewer, foodId);
  const isRecipe = foodId !== undefined && recipeIdOf(foodId) !== undefined;
  if (foodId === item.foodId && !isRecipe) {
    const known = food && (await options.foods.withAllNutrients(food));
    return { ...asScanned(item, weight, amount, known), ...named };
  }
  // Uses the amount of the item, unless the user states one.
  const { value, unit } = item.serving;
  const isStated = foodId === item.foodId || amount.quantity !== undefined || amount.unit !== undefined;
  const asMuch = weight !== undefined && { quantity: weight, unit: food?.basis ?? 'g' };
  const stated = isStated ? { quantity: amount.quantity ?? value, unit: amount.unit ?? unit } : asMuch;
  if (!stated) throw unweighed();
  return { ...(await toPortion({ foodId, ...stated }, owner, options)), ...named };
}

/** The weight of a serving in g, as the scan or else the user states it; undefined if neither does. */
function weightOf({ weightUnknown, servingGrams }: ScanItem, stated: number | undefined): number | undefined {
  if (weightUnknown) return stated;
  if (stated === undefined) return servingGrams;
  throw invalidField('servingGrams', 'The scan knows the weight of this item; leave "servingGrams" out.');
}

/** Converts the item, with the amounts of its scan, to this quantity and unit. */
function asScanned(
  item: ScanItem,
  weight: number | undefined,
  amount: AmountChange,
  food: Food | undefined,
): Portion {
  const { name, foodId, barcode, serving, macros } = item;
  const isUnit = weight === undefined || serving.unit.length <= MAX_UNIT_CHARACTERS;
  const scanned = isUnit ? { quantity: serving.value, unit: serving.unit } : { quantity: weight, unit: 'g' };
  const quantity = amount.quantity ?? scanned.quantity;
  const unit = amount.unit === undefined ? scanned.unit : parseUnit(amount.unit);
  if (weight === undefined && !isSameUnit(unit, scanned.unit)) throw onlyServings(scanned.unit);
  const basis = {
    amounts: { ...(weight !== undefined && furtherOf(food, weight)), ...amountsOf(macros) },
    ...scanned,
    ...(weight !== undefined && { food: convertible(serving, weight, food) }),
  };
  return {
    foodName: name,
    ...snapshotAt(basis, quantity, unit, name),
    ...(foodId !== undefined && { foodId }),
    ...(barcode !== undefined && { barcode }),
    quantity,
    unit,
  };
}

/** Further nutrients of the food, which no scan reads. */
function furtherOf(food: Food | undefined, amount: number): UnroundedAmounts {
  const further = FURTHER_KEYS.flatMap((key) => {
    const per100 = food?.per100[key];
    return per100 === undefined ? [] : [[key, (per100 * amount) / 100] as const];
  });
  return Object.fromEntries(further);
}

/** The food's servings, then the scanned one, which only a label may state. */
function convertible(
  serving: ScanItem['serving'],
  basisAmount: number,
  food: Food | undefined,
): NonNullable<AmountBasis['food']> {
  const scanned: Serving = { ...serving, basisAmount };
  return {
    basis: food?.basis ?? findStandardUnit(normaliseUnit(serving.unit))?.basis ?? 'g',
    servings: food === undefined ? [scanned] : [...food.servings, scanned],
  };
}

function onlyServings(unit: string): AppError {
  return new AppError({
    code: 'invalid_request',
    message: 'The weight of this item is unknown: count its servings, or give "servingGrams" too.',
    details: { fields: ['unit'], possible: [unit] },
  });
}

function unweighed(): AppError {
  return invalidField(
    'quantity',
    'The weight of this item is unknown: give "quantity" and "unit" of the other food, or "servingGrams".',
  );
}

function unusable(
  status: ScanJob['status'],
  message: string,
  details: DetailsOf<'invalid_request'> = {},
): AppError {
  return invalidField('scanJobId', message, { status, ...details });
}

function noSuchItem(count: number): AppError {
  const max = count - 1;
  return invalidField('index', `"index" must be from 0 to ${max}, since the scan has no other items.`, {
    max,
  });
}

function listedTwice(): AppError {
  return invalidField('index', 'This item is listed already; list it once, with the whole quantity.');
}
