import type { PageService } from './page-service.ts';

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

/** Two weeks of a diary, with goals, a recipe, a custom food, a weight and an app's key, as contents for the views. */
export async function addSampleData({ ask, ann }: PageService): Promise<void> {
  const diary = `/v1/users/${ann}`;
  await ask('PUT', `${diary}/goals`, {
    from: dayBefore(DAYS),
    calories: 2_000,
    protein: 100,
    carbs: 230,
    fat: 70,
  });
  for (let ago = DAYS; ago >= 0; ago--) {
    for (const [at, [mealType, texts]] of Object.entries(MEALS).entries()) {
      // There is no dinner yet, and one day is empty.
      if ((ago === 0 && at > 1) || ago === 5) continue;
      const text = texts[(ago + at) % texts.length];
      await ask('POST', `${diary}/diary/text`, { date: dayBefore(ago), mealType, text, partial: true });
    }
  }
  await ask('POST', `${diary}/recipes`, {
    name: 'Lentil soup',
    servings: 4,
    ingredients: ['250 g lentils', '2 carrots', '1 onion', '2 tbsp olive oil', '1 l vegetable broth'],
  });
  await ask('POST', '/v1/foods', {
    name: 'Grandma’s granola',
    servingSize: { value: 50, unit: 'g' },
    macros: { energy: 225, protein: 5.5, carbohydrates: 27.5, fat: 9.5, fiber: 4 },
  });
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
