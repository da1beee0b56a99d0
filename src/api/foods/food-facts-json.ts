import type { Food } from '@larder/core/food.ts';
import { ENVIRONMENTAL_SCORES, FACT_ANSWERS, FACT_IMAGES, NUTRI_SCORES } from '@larder/core/food-facts.ts';
import { REGISTRY } from '@larder/core/nutrients.ts';
import { tidyNumber } from '@larder/core/rounding.ts';
import { z } from 'zod';
import type { FoundFacts } from '../../foods/catalogue/catalogue-facts.ts';
import { isoTime } from '../fields.ts';

const texts = z.record(z.string(), z.string());
const tags = z.array(z.string());
const answer = z.enum(FACT_ANSWERS).meta({ id: 'FactAnswer' });
/** One schema a unit: each schema takes about a kilobyte of each thread. */
const amountsIn = Object.fromEntries(
  [...new Set(REGISTRY.map(({ unit }) => unit))].map((unit) => [
    unit,
    z.number().min(0).describe(unit).optional(),
  ]),
);
const factAmounts = z
  .object(Object.fromEntries(REGISTRY.map(({ key, unit }) => [key, amountsIn[unit]!])))
  .meta({ id: 'FactNutrients', description: 'All known nutrients. Unknown ones are absent.' });

/** Describes `foodFactsObject`. */
export const foodFactsSchema = z
  .object({
    foodId: z.string(),
    nutrients: factAmounts.describe(
      'Amounts in 100 of `per`, as the source states them; those of the food with its corrections.',
    ),
    per: z.enum(['g', 'ml']).describe('The unit of the 100 that `nutrients` are in.'),
    genericNames: texts
      .optional()
      .describe('What it is, by language (ISO 639-1, or `und` where the source does not say).'),
    ingredients: texts.optional().describe('The list of ingredients, by language.'),
    allergens: tags
      .optional()
      .describe(
        'Allergens that the source states, as tags: `en:milk`. That one is absent does not say that the food is free of it.',
      ),
    traces: tags.optional().describe('Allergens of which there may be traces.'),
    additives: tags.optional(),
    labels: tags.optional(),
    categories: tags.optional().describe('With the categories above each.'),
    countries: tags.optional().describe('Where it is sold.'),
    packaging: tags.optional(),
    vegan: answer.optional().describe('As the source reads it from the ingredients or a label.'),
    vegetarian: answer.optional(),
    palmOil: answer.optional(),
    nutriScore: z.enum(NUTRI_SCORES).optional(),
    nova: z
      .int()
      .min(1)
      .max(4)
      .optional()
      .describe('Degree of processing: 1, unprocessed, to 4, ultra-processed.'),
    environmentalScore: z.enum(ENVIRONMENTAL_SCORES).optional(),
    quantity: z.string().optional().describe('Content of the package, as printed.'),
    images: z
      .object(Object.fromEntries(FACT_IMAGES.map((kind) => [kind, z.url().optional()])))
      .meta({ id: 'FactImages' })
      .optional()
      .describe('Addresses of photos at the source.'),
    qualityNotes: tags.optional().describe('The doubts of the source about its data, as tags.'),
    link: z.string().optional().describe('Page of the maker.'),
    dataType: z.string().optional().describe('Kind of data of FoodData Central.'),
    category: z.string().optional().describe('Category of FoodData Central.'),
    portions: z
      .array(
        z
          .object({
            quantity: z.number().optional(),
            unit: z.string().optional(),
            description: z.string().optional(),
            modifier: z.string().optional(),
            grams: z.number(),
          })
          .meta({ id: 'FactPortion' }),
      )
      .optional()
      .describe('Every portion of FoodData Central, in its words.'),
    sources: z
      .array(
        z
          .object({
            id: z.string().describe('Origin and its own key.'),
            licence: z.string().describe('Of the data.'),
            link: z.url().describe('The page of the product or food at the source.'),
          })
          .meta({ id: 'FactSource' }),
      )
      .describe('The records that these facts are of, the preferred one first.'),
    createdAt: z.iso.datetime().optional().describe('At the source.'),
    updatedAt: z.iso.datetime().optional().describe('At the source.'),
  })
  .meta({ id: 'FoodFacts', description: 'What sources say of a food. Unknown parts are absent.' });

/** Of each origin with facts the licence of its data, and the address before its key. */
const ORIGINS_OF_FACTS: Readonly<Record<string, { readonly licence: string; readonly page: string }>> = {
  off: {
    licence: 'Open Database License 1.0 (ODbL); photos CC BY-SA 3.0',
    page: 'https://world.openfoodfacts.org/product/',
  },
  fdc: { licence: 'CC0 1.0', page: 'https://fdc.nal.usda.gov/food-details/' },
};

export function foodFactsObject(food: Food, { ids, ...facts }: FoundFacts): z.infer<typeof foodFactsSchema> {
  const { createdAt, updatedAt, nutrients, portions, ...stated } = facts;
  const inHundred = { ...nutrients, ...food.per100 };
  const objects = {
    foodId: food.id,
    nutrients: Object.fromEntries(
      Object.entries(inHundred).map(([key, amount]) => [key, tidyNumber(amount)]),
    ),
    per: food.basis,
    ...stated,
    portions: portions?.map(({ amount: quantity, ...portion }) => ({ quantity, ...portion })),
    sources: ids.map((id) => {
      const [origin = '', key = ''] = id.split(':');
      const { licence = '', page = '' } = ORIGINS_OF_FACTS[origin] ?? {};
      return { id, licence, link: page + key };
    }),
    createdAt: createdAt === undefined ? undefined : isoTime(createdAt * 1000),
    updatedAt: updatedAt === undefined ? undefined : isoTime(updatedAt * 1000),
  };
  return objects as unknown as z.infer<typeof foodFactsSchema>;
}

/** The facts of the examples in the OpenAPI document. */
export const EXAMPLE_FACTS = {
  foodId: 'off:3017620422003',
  nutrients: { energy: 539, protein: 6.3, fat: 30.9, carbohydrates: 57.5, vitaminE: 5, magnesium: 60 },
  per: 'g',
  ingredients: { fr: 'Sucre, huile de palme, noisettes 13 %, lait écrémé en poudre 8,7 %' },
  allergens: ['en:milk', 'en:nuts'],
  countries: ['en:france', 'en:germany'],
  vegan: 'no',
  vegetarian: 'yes',
  palmOil: 'yes',
  nutriScore: 'e',
  nova: 4,
  quantity: '400 g',
  sources: [
    {
      id: 'off:3017620422003',
      licence: ORIGINS_OF_FACTS['off']!.licence,
      link: 'https://world.openfoodfacts.org/product/3017620422003',
    },
  ],
  createdAt: '2012-01-10T08:30:00.000Z',
  updatedAt: '2026-03-02T17:05:12.000Z',
};
