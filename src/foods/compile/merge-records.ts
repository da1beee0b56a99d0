/**
 * Merges foods with the same GTIN. Order of preference:
 *
 * 1. A food before a known product.
 * 2. Of one origin, the one updated last.
 * 3. Of different origins, the one with more nutrients, then the one updated last, then the order of `ORIGINS`.
 *
 * The winner keeps its id, name, basis, servings and numbers. The others add a missing brand and household serving,
 * and missing nutrients if both have the same energy; otherwise they are different recipes. Their names become
 * aliases and their ids stay valid.
 */

import {
  type Food,
  type FoodId,
  type KnownProduct,
  ORIGINS,
  type Origin,
  parseFoodId,
  type Serving,
} from '@larder/core/food.ts';
import { NUTRIENT_KEYS, NUTRIENTS, type Nutrients } from '@larder/core/nutrients.ts';
import { tidyNumber, toPer100 } from '@larder/core/rounding.ts';
import type { NumberedAmount, StoredFood, StoredRecord } from '../catalogue/food-record.ts';

const MAX_ALIASES = 32;
/** Further ids are dropped, those of the least preferred foods first. */
const MAX_OTHER_IDS = 1_000;

/** Energies within either tolerance are those of one recipe, rounded differently. */
const ENERGY_TOLERANCE_KCAL = 5;
const ENERGY_TOLERANCE_SHARE = 0.05;

/** Merges records of the same GTIN, at least one, given oldest import first. */
export function mergeRecords(records: readonly StoredRecord[]): StoredRecord {
  const perOrigin = new Map<Origin, StoredRecord[]>();
  for (const record of records.toReversed()) {
    const origin = originOf(record);
    perOrigin.set(origin, [...(perOrigin.get(origin) ?? []), record]);
  }
  const best = [...perOrigin.values()].map((same) => fold(same.toSorted(byNewest)));
  return fold(best.toSorted(byCompleteness));
}

function fold(preferredFirst: readonly StoredRecord[]): StoredRecord {
  return preferredFirst.reduce(mergeTwo);
}

function byNewest(a: StoredRecord, b: StoredRecord): number {
  return byServed(a, b) || updatedAt(b) - updatedAt(a);
}

function byCompleteness(a: StoredRecord, b: StoredRecord): number {
  return (
    byServed(a, b) ||
    nutrientCount(b) - nutrientCount(a) ||
    updatedAt(b) - updatedAt(a) ||
    ORIGINS.indexOf(originOf(a)) - ORIGINS.indexOf(originOf(b))
  );
}

function byServed(a: StoredRecord, b: StoredRecord): number {
  return Number('food' in b) - Number('food' in a);
}

function mergeTwo(winner: StoredRecord, other: StoredRecord): StoredRecord {
  const otherIds = [...winner.otherIds, identity(other).id, ...other.otherIds].slice(0, MAX_OTHER_IDS);
  const brand = identity(winner).brand ?? identity(other).brand;
  const lent = brand === undefined ? {} : { brand };
  const details = winner.details ?? other.details;
  const kept = { otherIds: withoutOwn(winner, otherIds), ...(details !== undefined && { details }) };
  if ('known' in winner) return { known: { ...winner.known, ...lent }, ...kept };
  const food = 'food' in other ? mergeFoods(winner.food, other.food) : winner.food;
  const unknownNutrients = 'food' in other ? lendUnknown(winner, other) : winner.unknownNutrients;
  const names = 'food' in other ? other.food : { ...other.known, aliases: [] };
  return {
    food: { ...food, ...lent, ...withAliases(food, names) },
    ...kept,
    ...(unknownNutrients !== undefined && { unknownNutrients }),
  };
}

function mergeFoods(winner: Food, other: Food): Food {
  const sameBasis = winner.basis === other.basis;
  return {
    ...winner,
    ...(sameBasis && withLent(winner, lendNutrients(winner.per100, other.per100))),
    servings: sameBasis && isBare(winner.servings) ? other.servings : winner.servings,
    popularity: Math.max(winner.popularity, other.popularity),
    createdAt: Math.min(winner.createdAt, other.createdAt),
    updatedAt: Math.max(winner.updatedAt, other.updatedAt),
  };
}

/** Added nutrients are converted to the winner's stated amount. */
function withLent({ stated }: Food, per100: Nutrients): Pick<Food, 'per100' | 'stated'> {
  if (stated === undefined) return { per100 };
  const { amount, nutrients } = stated;
  const all: Nutrients = { ...nutrients };
  for (const key of NUTRIENT_KEYS) {
    const value = per100[key];
    if (value !== undefined) all[key] ??= tidyNumber((value * amount) / 100);
  }
  const merged = { amount, nutrients: all };
  return { per100: toPer100(merged), stated: merged };
}

function lendNutrients(winner: Nutrients, other: Nutrients): Nutrients {
  if (!areOneRecipe(winner, other)) return winner;
  const merged: Nutrients = { ...winner };
  for (const { key, partOf } of NUTRIENTS) {
    const amount = other[key];
    if (merged[key] !== undefined || amount === undefined) continue;
    const whole = partOf && merged[partOf];
    if (whole === undefined || amount <= whole) merged[key] = amount;
  }
  return merged;
}

function areOneRecipe(winner: Nutrients, other: Nutrients): boolean {
  const difference = Math.abs(winner.energy - other.energy);
  return difference <= Math.max(ENERGY_TOLERANCE_KCAL, winner.energy * ENERGY_TOLERANCE_SHARE);
}

/** Adds the nutrients of later versions by the same rules; their whole is unknown. */
function lendUnknown(winner: StoredFood, other: StoredFood): readonly NumberedAmount[] | undefined {
  const own = winner.unknownNutrients ?? [];
  const lent = other.unknownNutrients?.filter(([number]) => !own.some(([known]) => known === number)) ?? [];
  const isLent =
    winner.food.basis === other.food.basis && areOneRecipe(winner.food.per100, other.food.per100);
  if (!isLent || lent.length === 0) return winner.unknownNutrients;
  const factor = (winner.food.stated?.amount ?? 100) / (other.food.stated?.amount ?? 100);
  return [...own, ...lent.map(([number, amount]) => [number, tidyNumber(amount * factor)] as const)];
}

/** Whether a food has only the default serving. */
function isBare(servings: readonly Serving[]): boolean {
  const [first] = servings;
  return servings.length === 1 && first?.basisAmount === 100 && first.label === undefined;
}

function withAliases(
  food: Food,
  other: Pick<Food, 'name' | 'aliases' | 'nameLanguages'>,
): Pick<Food, 'aliases' | 'nameLanguages'> {
  const known = new Set([food.name, ...food.aliases].map((text) => text.toLowerCase()));
  const aliases = [...food.aliases];
  const languages = [food.name, ...food.aliases].map((_, at) => food.nameLanguages?.[at] ?? 0);
  const most = Math.max(MAX_ALIASES, food.aliases.length);
  for (const [at, text] of [other.name, ...other.aliases].entries()) {
    if (aliases.length >= most || known.has(text.toLowerCase())) continue;
    known.add(text.toLowerCase());
    aliases.push(text);
    languages.push(other.nameLanguages?.[at] ?? 0);
  }
  return { aliases, ...(languages.some((bits) => bits !== 0) && { nameLanguages: languages }) };
}

function withoutOwn(winner: StoredRecord, ids: readonly FoodId[]): readonly FoodId[] {
  const own = identity(winner).id;
  return [...new Set(ids)].filter((id) => id !== own);
}

function identity(record: StoredRecord): Food | KnownProduct {
  return 'food' in record ? record.food : record.known;
}

function originOf(record: StoredRecord): Origin {
  return parseFoodId(identity(record).id)!.origin;
}

function updatedAt(record: StoredRecord): number {
  return 'food' in record ? record.food.updatedAt : 0;
}

function nutrientCount(record: StoredRecord): number {
  if (!('food' in record)) return 0;
  return Object.keys(record.food.per100).length + (record.unknownNutrients?.length ?? 0);
}
