import type { PageService } from './page-service.ts';
import { SAMPLE_PRODUCTS } from './sample-products.ts';

const DAY_MS = 86_400_000;
const DAYS = 14;
const MEALS = {
  breakfast: [
    '2 eggs and 2 slices of whole wheat bread',
    '60 g oats, 200 ml milk and a banana',
    'yogurt with 100 g blueberries',
  ],
  lunch: [
    '150 g cooked rice, 120 g chicken breast and 100 g broccoli',
    'lentil soup and an apple',
    '250 g spaghetti with tomato sauce',
  ],
  dinner: [
    '150 g salmon, 200 g potatoes and 80 g spinach',
    '2 slices of pizza',
    'a cheese sandwich and 150 g tomatoes',
  ],
  snacks: ['30 g almonds', 'an orange', '20 g dark chocolate'],
} as const;
/** As long as names of products get. */
const LONG_NAME = 'Organic wholegrain spelt crispbread with sesame, sunflower and pumpkin seeds, family pack';

/**
 * What the views have to show: two weeks of Ann's diary, which the household may see, with goals, weights, recipes, own foods, names
 * that are too long for a line, an app's key and a webhook.
 */
export async function addSampleData({ ask, ann, importProducts }: PageService): Promise<void> {
  await importProducts(SAMPLE_PRODUCTS);
  const diary = `/v1/users/${ann}`;
  await ask('PUT', `${diary}/goals`, {
    from: dayBefore(DAYS),
    calories: 2_000,
    protein: 70,
    carbs: 230,
    fat: 70,
    fiber: 30,
    sodium: 2_000,
    weekdays: { saturday: { calories: 2_300 }, sunday: { calories: 2_300 } },
  });
  for (let ago = DAYS; ago >= 0; ago--) {
    for (const [at, [mealType, texts]] of Object.entries(MEALS).entries()) {
      // There is no dinner yet, and one day is empty.
      if ((ago === 0 && at > 1) || ago === 5) continue;
      const text = texts[(ago + at) % texts.length];
      await ask('POST', `${diary}/diary/text`, { date: dayBefore(ago), mealType, text, partial: true });
    }
  }
  await ask('POST', `${diary}/diary`, {
    date: dayBefore(1),
    mealType: 'snacks',
    foodName: LONG_NAME,
    calories: 128,
    quantity: 2.5,
    unit: 'slice',
    note: 'With butter, on the train to the mountains',
    eatenAt: `${dayBefore(1)}T16:20:00+02:00`,
  });
  for (const [ago, value] of [74.2, 74, 73.8, 73.9, 73.4].entries())
    await ask('POST', `${diary}/measurements`, {
      name: 'weight',
      value,
      unit: 'kg',
      measuredAt: `${dayBefore(12 - 3 * ago)}T07:00:00Z`,
    });
  for (const [ago, value] of [1750, 2250, 1500, 2000].entries())
    await ask('POST', `${diary}/measurements`, {
      name: 'water',
      value,
      unit: 'ml',
      measuredAt: `${dayBefore(ago + 1)}T12:00:00Z`,
    });
  await ask('POST', `${diary}/recipes`, {
    name: 'Lentil soup',
    servings: 4,
    yieldGrams: 1_800,
    ingredients: ['250 g lentils', '2 carrots', '1 onion', '2 tbsp olive oil', '1 l vegetable broth'],
  });
  await ask('POST', '/v1/foods', {
    name: 'Grandma’s granola',
    shared: false,
    servingSize: { value: 50, unit: 'g' },
    macros: { energy: 225, protein: 5.5, carbohydrates: 27.5, fat: 9.5, fiber: 4 },
  });
  await ask('POST', '/v1/foods', {
    name: LONG_NAME,
    brand: 'Bakery of the valley cooperative',
    barcode: '4006381333931',
    shared: false,
    servingSize: { value: 12, unit: 'g' },
    macros: { energy: 51, protein: 1.7, carbohydrates: 6.9, fat: 1.6 },
  });
  await ask('PUT', '/v1/people/me/sharing', { default: 'read', people: {} });
  await ask('POST', '/v1/keys', {
    name: 'Kitchen scale',
    tenant: 'default',
    scopes: ['foods:read', 'diary:write'],
  });
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
