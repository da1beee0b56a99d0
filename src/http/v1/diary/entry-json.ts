import { decimalText } from '@larder/core/rounding.ts';
import { z } from 'zod';
import {
  type Amounts,
  type DiaryEntry,
  type DiaryOwner,
  MAIN_AMOUNTS,
  OTHER_AMOUNTS,
} from '../../../diary/records/entry.ts';
import type { Reply } from '../../server/operation.ts';
import { isoTimeJson } from '../fields.ts';
import {
  addedMethod,
  calories,
  eatenAt,
  grams,
  mealType,
  nutrientSums,
  realDate,
  sodium,
} from './diary-fields-schema.ts';

const requiredAmounts = { calories, protein: grams, carbs: grams, fat: grams };
/** What an entry and a food that was eaten have in common. */
export const eaten = {
  foodName: z.string(),
  ...requiredAmounts,
  fiber: grams.optional(),
  sodium: sodium.optional(),
  nutrients: nutrientSums.optional(),
  foodId: z.string().optional(),
  barcode: z.string().optional(),
  recipeId: z.string().optional(),
  quantity: z.number().optional(),
  unit: z.string().optional(),
};

/** Describes what `entryJson` writes. */
export const entrySchema = z
  .object({
    id: z.string(),
    userId: z.string(),
    date: realDate,
    mealType,
    ...eaten,
    addedMethod,
    eatenAt: eatenAt.optional(),
    note: z.string().optional(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'DiaryEntry', description: 'Values as they were when the entry was written.' });

/** Writes JSON by hand, since days are answered tens of thousands of times a second. `userId` is JSON already. */
export function entryJson(entry: DiaryEntry, userId: string): string {
  const createdAt = isoTimeJson(entry.createdAt);
  const updatedAt = entry.updatedAt === entry.createdAt ? createdAt : isoTimeJson(entry.updatedAt);
  let details = '';
  if (entry.eatenAt !== undefined) details += `,"eatenAt":"${entry.eatenAt}"`;
  if (entry.note !== undefined) details += `,"note":${JSON.stringify(entry.note)}`;
  return (
    `{"id":"${entry.id}","userId":${userId},"date":"${entry.date}","mealType":"${entry.mealType}",` +
    `${eatenJson(entry)},"addedMethod":"${entry.addedMethod}"${details},` +
    `"createdAt":${createdAt},"updatedAt":${updatedAt}}`
  );
}

/** The entry, with the version that its ETag names. */
export function entryReply(entry: DiaryEntry, { userId }: DiaryOwner): Reply {
  return { version: entry.version, body: entryJson(entry, JSON.stringify(userId)) };
}

/** `"calories":`, `,"protein":` and so on. The first amount is always known. */
const MAIN_AMOUNTS_JSON = MAIN_AMOUNTS.map((key, at) => `${at === 0 ? '' : ','}"${key}":`);
const OTHER_AMOUNTS_JSON = OTHER_AMOUNTS.map((key) => `,"${key}":`);

export function amountsJson(amounts: Amounts): string {
  let json = '';
  for (let at = 0; at < MAIN_AMOUNTS.length; at++) {
    const amount = amounts[MAIN_AMOUNTS[at]!];
    if (amount !== undefined) json += MAIN_AMOUNTS_JSON[at]! + decimalText(amount);
  }
  let others = '';
  for (let at = 0; at < OTHER_AMOUNTS.length; at++) {
    const amount = amounts[OTHER_AMOUNTS[at]!];
    if (amount !== undefined) others += OTHER_AMOUNTS_JSON[at]! + decimalText(amount);
  }
  return others === '' ? json : `${json},"nutrients":{${others.slice(1)}}`;
}

type Eaten = Pick<
  DiaryEntry,
  'foodName' | 'amounts' | 'foodId' | 'barcode' | 'recipeId' | 'quantity' | 'unit'
>;

export function eatenJson({
  foodName,
  amounts,
  foodId,
  barcode,
  recipeId,
  quantity: count,
  unit: of,
}: Eaten): string {
  let json = `"foodName":${JSON.stringify(foodName)},${amountsJson(amounts)}`;
  if (foodId !== undefined) json += `,"foodId":${JSON.stringify(foodId)}`;
  if (barcode !== undefined) json += `,"barcode":${JSON.stringify(barcode)}`;
  if (recipeId !== undefined) json += `,"recipeId":"${recipeId}"`;
  if (count !== undefined) json += `,"quantity":${count}`;
  if (of !== undefined) json += `,"unit":${JSON.stringify(of)}`;
  return json;
}
