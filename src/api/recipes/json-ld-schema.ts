import { AppError } from '@larder/core/errors.ts';
import { type Amount, findAmounts } from '@larder/text/find-amounts.ts';
import { detectLanguage, LANGUAGE_TAG, languageOfTag } from '@larder/text/language.ts';
import { tokenise } from '@larder/text/tokens.ts';
import { UNITS } from '@larder/text/units.ts';
import { z } from 'zod';
import type { RecipeInput } from '../../diary/recipe-book.ts';
import {
  MAX_INGREDIENTS,
  MAX_SERVINGS,
  MAX_YIELD_GRAMS,
  MIN_YIELD_GRAMS,
} from '../../diary/records/recipe.ts';
import { cleanText } from '../../foods/import/normalise/clean-text.ts';
import { lineText } from '../foods/text-json.ts';
import { readBody } from '../validation.ts';
import { lineFields, newRecipeSchema, servings, yieldGrams } from './recipe-json.ts';

const IS_RECIPE = /^(?:https?:\/\/schema\.org\/|schema:)?Recipe$/;
const MAX_TYPES = 20;
const MAX_YIELDS = 10;
const MAX_YIELD_LENGTH = 200;
/** Maximum length of joined lines, including line breaks. */
const MAX_JOINED_LENGTH = 10_100;

const type = z.string().regex(IS_RECIPE, 'must be "Recipe"');
/** Fields that may be beside the JSON-LD and take precedence over it. */
const stated = { servings: servings.optional(), yieldGrams: yieldGrams.optional(), ...lineFields };

/** The document describes only this form: generated clients for a union with lists and graphs do not compile. */
export const recipeNode = z
  .looseObject({
    '@type': z
      .union([
        type.meta({ id: 'RecipeType' }),
        z
          .array(z.string())
          .max(MAX_TYPES)
          .meta({ id: 'RecipeTypes', contains: { pattern: IS_RECIPE.source } }),
      ])
      .describe('`Recipe`, or a list with it.'),
    name: z.string(),
    recipeIngredient: z
      .union([
        z
          .string()
          .min(1)
          .max(MAX_JOINED_LENGTH)
          .transform((joined) => joined.split(/\r?\n/))
          .pipe(z.array(lineText))
          .meta({ id: 'JoinedIngredients' }),
        z.array(lineText).min(1).max(MAX_INGREDIENTS).meta({ id: 'IngredientLines' }),
      ])
      .describe('Lines as in `ingredients`, or one text with a line for each.'),
    recipeYield: z
      .unknown()
      .optional()
      .describe(
        'A text such as "4 servings", "Makes 12" or "800 g", a number, a QuantitativeValue, or a list of texts; anything else is ' +
          'ignored. One serving, if no number of servings is found.',
      ),
    inLanguage: z
      .unknown()
      .optional()
      .meta({ type: 'string' })
      .describe('The language of the lines, such as "de-DE", if `lang` is absent.'),
    ...stated,
  })
  .meta({
    id: 'RecipeJsonLd',
    description:
      'A schema.org/Recipe as web pages have it. Fields that are not named here are ignored. Pages that have it in `@graph`, or in a ' +
      'list with others, can be sent as they are.',
  });

const nodes = z.array(z.looseObject({})).min(1);

const recipeGraph = z.looseObject({ '@graph': nodes, ...stated });

export const EXAMPLE_JSON_LD = {
  '@context': 'https://schema.org',
  '@type': 'Recipe',
  name: 'Rice with banana',
  recipeYield: '2 servings',
  recipeIngredient: ['200 g rice', '1 banana'],
};

const inNode = recipeNode.transform(toRecipeInput);
const inGraph = recipeGraph.transform(readGraph);
const inList = nodes.transform((list) => toRecipeInput(nodeIn(list)));

/** Selects the schema for a recipe, or for JSON-LD that contains one. */
export function recipeOrJsonLdSchema(body: unknown) {
  if (Array.isArray(body)) return inList;
  if (!isObject(body)) return newRecipeSchema;
  if ('@graph' in body) return inGraph;
  return '@type' in body || '@context' in body ? inNode : newRecipeSchema;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readGraph(graph: z.output<typeof recipeGraph>): RecipeInput {
  const { servings: count, yieldGrams: grams, lang, partial } = graph;
  const given = Object.entries({ servings: count, yieldGrams: grams, lang, partial });
  const known = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return toRecipeInput({ ...nodeIn(graph['@graph']), ...known });
}

/** The first recipe of a list. */
function nodeIn(list: readonly unknown[]): z.output<typeof recipeNode> {
  const node = findRecipe(list);
  if (node === undefined) throw noRecipe();
  return readBody(recipeNode, node);
}

function noRecipe(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: 'The JSON-LD has no object with the "@type" "Recipe".',
    details: { fields: ['@type'] },
  });
}

/** Searches graphs, too; bodies are at most `MAX_JSON_DEPTH` deep. */
function findRecipe(list: readonly unknown[]): Record<string, unknown> | undefined {
  for (const each of list.filter(isObject)) {
    const graph = each['@graph'];
    const found = hasRecipeType(each['@type']) ? each : findRecipe(Array.isArray(graph) ? graph : []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasRecipeType(types: unknown): boolean {
  return [types].flat().some((each) => typeof each === 'string' && IS_RECIPE.test(each));
}

function toRecipeInput(node: z.output<typeof recipeNode>): RecipeInput {
  if (!hasRecipeType(node['@type'])) throw noRecipe();
  const { recipeIngredient, recipeYield, inLanguage } = node;
  const lang = node.lang ?? languageIn(inLanguage);
  const read = readYield(recipeYield, lang);
  const grams = node.yieldGrams ?? read.yieldGrams;
  return {
    name: cleanText(node.name),
    servings: node.servings ?? read.servings ?? 1,
    ...(grams !== undefined && { yieldGrams: grams }),
    ingredients: recipeIngredient.map(cleanText),
    lang,
    partial: node.partial,
  };
}

function languageIn(tag: unknown): string | undefined {
  if (typeof tag !== 'string') return undefined;
  const [code = '', region = ''] = tag.split('-');
  const full = `${code.toLowerCase()}-${region.toUpperCase()}`;
  return [full, code.toLowerCase()].find((each) => LANGUAGE_TAG.test(each));
}

interface ReadYield {
  readonly servings?: number | undefined;
  readonly yieldGrams?: number | undefined;
}

/** Reads the first number of servings and the first weight of several statements. */
function readYield(recipeYield: unknown, lang: string | undefined): ReadYield {
  const found = [recipeYield]
    .flat()
    .slice(0, MAX_YIELDS)
    .map((each) => (typeof each === 'number' ? { servings: servingsIn(each) } : yieldIn(textOf(each), lang)));
  return {
    servings: found.find((each) => each.servings !== undefined)?.servings,
    yieldGrams: found.find((each) => each.yieldGrams !== undefined)?.yieldGrams,
  };
}

/** A QuantitativeValue has `value` and `unitText`. */
function textOf(stated: unknown): string {
  if (typeof stated === 'number' || typeof stated === 'string') return String(stated);
  if (!isObject(stated)) return '';
  const { value, unitText, unitCode } = stated;
  return typeof value === 'object' ? '' : `${textOf(value)} ${textOf(unitText ?? unitCode)}`;
}

function yieldIn(text: string, lang: string | undefined): ReadYield {
  const tokens = tokenise(text.slice(0, MAX_YIELD_LENGTH));
  const amounts = findAmounts(tokens, lang === undefined ? detectLanguage(tokens) : languageOfTag(lang));
  const counted = amounts.find(isCount)?.quantity;
  // "6 people" does not count a food.
  const people = amounts.length === 0 ? Number(/\d+/.exec(text)?.[0]) : undefined;
  const weights = amounts.flatMap((amount) => [
    amount,
    ...(amount.quantity === 1 ? amount.alternatives : []),
  ]);
  const weighed = weights.map(gramsOf).find((grams) => grams !== undefined);
  return {
    servings: servingsIn(counted ?? people),
    yieldGrams: within(weighed, MIN_YIELD_GRAMS, MAX_YIELD_GRAMS),
  };
}

function servingsIn(count: number | undefined): number | undefined {
  return within(count, Number.MIN_VALUE, MAX_SERVINGS);
}

function isCount({ unit }: Amount): boolean {
  return unit === undefined || !['mass', 'volume', 'length'].includes(UNITS[unit].kind);
}

function gramsOf({ unit, quantity }: Amount): number | undefined {
  const grams = unit === undefined ? undefined : (UNITS[unit] as { grams?: number }).grams;
  return grams === undefined ? undefined : quantity * grams;
}

/** Undefined if it is out of range, or NaN. */
function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined;
}
