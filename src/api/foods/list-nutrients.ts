import { NUTRIENT_KEYS, type NutrientKey, REGISTRY } from '@larder/core/nutrients.ts';
import {
  REFERENCE_KINDS,
  REFERENCE_SOURCES,
  REFERENCE_VALUES,
  type ReferenceValue,
} from '@larder/core/reference-values.ts';
import { z } from 'zod';
import { listAnswer } from '../answers.ts';
import { shortListQuery, shortPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { wholeNumber } from '../text-schemas.ts';
import { foodReading } from './food-query.ts';

const SOURCES = Object.keys(REFERENCE_SOURCES) as (keyof typeof REFERENCE_SOURCES)[];
const SEXES = ['female', 'male'] as const;
const sex = z.enum(SEXES).meta({ id: 'ReferenceSex' });
const source = z.enum(SOURCES).meta({ id: 'ReferenceSource' });
const age = z.int().min(0);
const MAX_AGE = 130;

const nutrientSchema = z
  .object({
    nutrient: z.string().describe('Its name in `nutrients`.'),
    unit: z.string(),
    inFoods: z
      .boolean()
      .describe(
        'Whether every food may have it; otherwise facts of foods, entries, sums, recipes and goals may.',
      ),
    references: z
      .array(
        z
          .object({
            source,
            kind: z
              .enum(REFERENCE_KINDS)
              .meta({ id: 'ReferenceKind' })
              .describe('`recommended` covers nearly everybody; `adequate` is an intake of healthy people.'),
            sex: sex.optional().describe('Absent if the value is the same for both.'),
            fromAge: age.describe('In years.'),
            toAge: age.optional().describe('Inclusive; absent without an end.'),
            value: z.number().positive().describe('In a day, in `unit`.'),
          })
          .meta({ id: 'NutrientReference' }),
      )
      .describe('Intakes for display. They are no advice.'),
  })
  .meta({ id: 'NutrientDescription', description: 'A nutrient, and how much of it authorities recommend.' });

const NUTRIENTS = REGISTRY.map(({ key, unit }) => ({
  nutrient: key,
  unit,
  inFoods: NUTRIENT_KEYS.includes(key as NutrientKey),
  references: REFERENCE_VALUES.filter(({ nutrient }) => nutrient === key).map(
    ({ nutrient: _, ...value }) => value,
  ),
}));

export const listNutrients = operation({
  ...foodReading,
  method: 'GET',
  path: '/v1/nutrients',
  id: 'listNutrients',
  summary: 'List nutrients and reference values',
  description: `Reference values by sex and age: ${Object.values(REFERENCE_SOURCES)
    .map(({ name, link }) => `${name} (${link})`)
    .join('; ')}. Values for pregnancy and lactation are not among them.`,
  query: shortListQuery.extend({
    source: source.optional().describe('Only the references of this authority.'),
    sex: sex.optional().describe('Only references for this sex, and those for both.'),
    age: wholeNumber(z.int().min(0).max(MAX_AGE))
      .optional()
      .describe('Only references for this age, in years.'),
  }),
  answer: listAnswer('The nutrients, those of foods first.', nutrientSchema, {
    ...NUTRIENTS.find(({ nutrient }) => nutrient === 'vitaminC'),
  }),
  handle: async ({ query }) => {
    const { source: from, sex: of, age: years } = query;
    const isAsked = ({ source, sex, fromAge, toAge = MAX_AGE }: Omit<ReferenceValue, 'nutrient'>) =>
      (from === undefined || source === from) &&
      (of === undefined || sex === undefined || sex === of) &&
      (years === undefined || (fromAge <= years && years <= toAge));
    return shortPageOf(query, NUTRIENTS, ({ references, ...nutrient }) => ({
      ...nutrient,
      references: references.filter(isAsked),
    }));
  },
});
