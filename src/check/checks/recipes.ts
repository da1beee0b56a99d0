import { z } from 'zod';
import { type Check, QUICK_MS } from '../check.ts';
import { amount, diaryEntry } from '../shapes.ts';
import { eraseLater } from './diary.ts';

const energy = z.object({ calories: amount });
const recipe = z.object({
  id: z.string().min(1),
  name: z.string(),
  servings: z.number().positive(),
  total: energy,
  perServing: energy,
});

export const recipeChecks: readonly Check[] = [
  {
    name: 'a recipe is written, eaten and deleted',
    scopes: ['diary:read', 'diary:write'],
    timeoutMs: QUICK_MS,
    async run(session) {
      eraseLater(session);
      const recipes = `${session.user}/recipes`;
      const ingredients = [
        { foodName: 'Toast', calories: 100.1, protein: 3, carbs: 20, fat: 1 },
        { foodName: 'Butter', calories: 37.2, protein: 0, carbs: 0, fat: 4 },
      ];
      const created = await session.ask('POST', recipes, {
        body: { name: 'Toast', servings: 2, ingredients },
      });
      const { id, total, perServing } = created.expect(201).read(recipe);
      created.expectSame('calories', [total.calories, perServing.calories], [137.3, 68.65]);
      const version = created.expectHeader('etag', /^"[^"]+"$/);
      const path = `${recipes}/${id}`;

      const list = (await session.ask('GET', recipes)).expect(200);
      list.expectSame(
        'ids',
        list.read(z.array(recipe)).map((each) => each.id),
        [id],
      );
      const change = (servings: number) =>
        session.ask('PATCH', path, { body: { servings }, headers: { 'if-match': version } });
      const changed = (await change(1)).expect(200);
      changed.expectSame('calories', changed.read(recipe).perServing.calories, 137.3);
      (await change(4)).expectError(412, 'version_conflict');

      const eaten = await session.ask('POST', `${session.user}/diary`, {
        body: { date: '2021-03-01', mealType: 'lunch', recipeId: id, quantity: 2, unit: 'serving' },
      });
      const entry = eaten.expect(201).read(diaryEntry);
      eaten.expectSame('entry', [entry.addedMethod, entry.calories], ['recipe', 274.6]);

      (await session.ask('DELETE', path)).expect(204);
      (await session.ask('GET', path)).expectError(404, 'recipe_not_found');
    },
  },
];
