import { checkDigit } from '@larder/core/gtin.ts';
import { z } from 'zod';
import { retry } from '../../base/retry.ts';
import type { Check } from '../check.ts';
import { CheckFailure } from '../checked-response.ts';
import type { Session } from '../session.ts';
import { unversionedFood, v1Food } from '../shapes.ts';
import { expectEveryForm } from './barcode.ts';

/** Every node of a cluster sees a write within a second. */
const TRIES = 10;
const BETWEEN_MS = 100;

/** Repeats for one second times the session's patience, then throws the last failure. */
async function withinASecond(session: Session, attempt: () => Promise<void>): Promise<void> {
  const isOver = (tries: number) => tries >= TRIES * session.patience || session.signal.aborted;
  await retry(attempt, {
    delayMs: (error, tries) => (error instanceof CheckFailure && !isOver(tries) ? BETWEEN_MS : undefined),
  });
}

/** GS1 reserves this prefix for examples, so no product has it. */
const EXAMPLES = '952';
const SERVING_G = 30;

export const customFoodChecks: readonly Check[] = [
  {
    name: 'a custom food is found at once',
    scopes: ['foods:read', 'foods:write'],
    async run(session) {
      const barcode = exampleBarcode(session.mark);
      const name = `Larder check ${session.mark}`;
      const created = await session.ask('POST', '/v1/foods', {
        body: {
          name,
          barcode,
          servingSize: { value: SERVING_G, unit: 'g' },
          macros: { energy: 100, protein: 1, fat: 2, carbohydrates: 20 },
        },
      });
      const { id } = created.expect(201).read(v1Food);
      const path = `/v1/foods/${encodeURIComponent(id)}`;
      session.later(async (cleaning) => {
        const gone = await cleaning.ask('DELETE', path);
        if (gone.status !== 404) gone.expect(204);
      });
      created.expectHeader('location', session.linkTo('/v1/foods/'));
      const version = created.expectHeader('etag', /^"[^"]+"$/);

      await withinASecond(session, () => expectFound(session, name, [id]));
      await withinASecond(session, async () => {
        const found = await session.ask('GET', `/v1/foods/barcode/${barcode}`);
        found.expectSame('id', found.expect(200).read(v1Food).id, id);
      });
      await expectEveryForm(session, barcode);
      await expectServings(session, name, id);

      const change = (body: object) => session.ask('PATCH', path, { body, headers: { 'if-match': version } });
      (await change({ brand: 'Example' })).expect(200);
      (await change({ brand: 'Another' })).expectError(412, 'version_conflict');

      (await session.ask('DELETE', path)).expect(204);
      await withinASecond(session, async () => {
        (await session.ask('GET', path)).expectError(404, 'food_not_found');
        await expectFound(session, name, []);
      });
    },
  },
];

const detailedFood = v1Food.extend({ servings: z.tuple([z.object({ grams: z.number() })]) });

/** Expects all servings by id, in a batch, in a search that asks for them, and in the list. */
async function expectServings(session: Session, name: string, id: string): Promise<void> {
  const grams = (food: z.infer<typeof detailedFood> | undefined) => food?.servings[0].grams;
  const one = (await session.ask('GET', `/v1/foods/${encodeURIComponent(id)}`)).expect(200);
  one.expectSame('grams of the serving', grams(one.read(detailedFood)), SERVING_G);
  const batch = (await session.ask('GET', `/v1/foods/batch?ids=${encodeURIComponent(`${id},fdc:0`)}`)).expect(
    200,
  );
  const { foods, missing } = batch.read(
    z.object({ foods: z.array(detailedFood), missing: z.array(z.string()) }),
  );
  batch.expectSame('foods', [foods.map((food) => food.id), missing], [[id], ['fdc:0']]);
  const query = `q=${encodeURIComponent(name)}&limit=1&include=servings`;
  const found = (await session.ask('GET', `/v1/foods/search?${query}`)).expect(200);
  found.expectSame('grams of the serving', grams(found.read(z.array(detailedFood))[0]), SERVING_G);

  // One page: a tenant may have many foods.
  const list = (await session.ask('GET', '/v1/foods?limit=1')).expect(200);
  list.expectSame('number of foods', list.read(z.array(detailedFood)).length, 1);
  (await session.ask('GET', '/v1/foods?after=none')).expectError(400, 'invalid_query');
}

async function expectFound(session: Session, name: string, ids: readonly string[]): Promise<void> {
  const query = `/foods/search?q=${encodeURIComponent(name)}&limit=1`;
  const v1 = (await session.ask('GET', `/v1${query}`)).expect(200);
  const unversioned = (await session.ask('GET', query, { as: 'unversioned' })).expect(200);
  const idsOf = (foods: readonly { id: string; name: string }[]) =>
    foods.filter((food) => food.name === name).map(({ id }) => id);
  v1.expectSame('foods with the name', idsOf(v1.read(z.array(v1Food))), ids);
  unversioned.expectSame('foods with the name', idsOf(unversioned.read(z.array(unversionedFood))), ids);
}

function exampleBarcode(mark: string): string {
  const digits = String(Number.parseInt(mark.slice(0, 12), 16) % 1e9).padStart(9, '0');
  const body = EXAMPLES + digits;
  return body + checkDigit(body);
}
