import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ScriptedFetch } from '../../../test/support/scripted-fetch.ts';
import { Facts, Larder } from './index.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DOCUMENTS = ['openapi.json', 'openapi-unversioned.json'].map(
  (name) =>
    JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as {
      readonly paths: Record<string, Record<string, Operation>>;
    },
);
/**
 * Not called: the scan stream with a ticket in its address, and the stream of cursors, because `changes` uses
 * long polling.
 */
const NOT_CALLED = [
  ...['createChangesTicket', 'followChanges', 'followScan', 'getFrontPage', 'streamChanges'],
];
/** Paths of the page and its console, whose sessions use cookies. */
const OF_THE_PAGE = /^\/v1\/(?:people|sessions?|invitations|operator)(?:\/|$)/;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
}

/** All calls of the client, with `x` for each part of a path that varies. */
async function callAll(larder: Larder): Promise<void> {
  const image = new Blob(['x'], { type: 'image/png' });
  const day = { date: '2026-01-31' };
  const named = {
    ...day,
    mealType: 'lunch',
    foodName: 'Soup',
    calories: 1,
    protein: 1,
    carbs: 1,
    fat: 1,
  } as const;
  const { foods, keys, scans, service, tokens, unversioned, webhooks } = larder;
  const { diary, recipes, goals, measurements, foods: eaten, ...user } = larder.user('x');
  const { days, meals, favourites, settings } = user;
  const ingredients = [{ foodId: 'x', quantity: 1, unit: 'g' }];
  await foods.search({ q: 'rice' });
  await foods.parse({ text: 'rice' });
  await foods.byBarcode('17');
  await foods.byBarcode('https://id.test/01/09506000134352');
  await foods.get('x');
  await foods.batch(['x']);
  await foods.list();
  await foods.add({
    name: 'Soup',
    servingSize: { value: 1, unit: 'g' },
    macros: { energy: 1, protein: 1, fat: 1, carbohydrates: 1 },
  });
  await foods.change('x', { name: 'Broth' });
  await foods.remove('x');
  await foods.import(image);
  await diary.add(named);
  await diary.add([named]);
  await diary.changeAll([{ id: 'x', quantity: 2 }]);
  await diary.removeAll([{ id: 'x' }]);
  await diary.add({ ...day, mealType: 'lunch', text: 'rice' });
  await diary.add({ ...day, mealType: 'lunch', scanJobId: 'x' });
  await diary.list(day);
  await diary.list({ from: day.date, to: day.date });
  await diary.get('x');
  await diary.change('x', { quantity: 2 });
  await diary.remove('x');
  await diary.totals(day);
  await diary.totals({ from: day.date, to: day.date });
  await diary.copy({ from: day.date, to: '2026-02-01' });
  await diary.export('json');
  await recipes.add({ name: 'Soup', servings: 1, ingredients });
  await recipes.list();
  await recipes.get('x');
  await recipes.change('x', { name: 'Broth' });
  await recipes.remove('x');
  await goals.get();
  await goals.set({ calories: 2_000 });
  await goals.change({ calories: 2_000 });
  await goals.remove();
  await measurements.add({ name: 'weight', value: 72.4, unit: 'kg' });
  await measurements.list();
  await measurements.get('x');
  await measurements.change('x', { value: 72.6 });
  await measurements.remove('x');
  await days.list();
  await days.get('x');
  await days.set('x', { note: 'Birthday' });
  await days.change('x', { complete: true });
  await meals.add({ name: 'Breakfast', items: [{ foodName: 'Soup', calories: 1 }] });
  await meals.list();
  await meals.get('x');
  await meals.change('x', { name: 'Brunch' });
  await meals.remove('x');
  await meals.log('x', { ...day, mealType: 'lunch' });
  await favourites.add({ name: 'Soup', foodId: 'x' });
  await favourites.list();
  await favourites.get('x');
  await favourites.change('x', { quantity: 2, unit: 'g' });
  await favourites.remove('x');
  await settings.get();
  await settings.set({ language: 'de' });
  await settings.change({ waterGoalMl: null });
  await diary.notes({ q: 'x' });
  await eaten.recent();
  await eaten.frequent();
  for await (const _ of larder.user('x').changes()) break;
  await larder.user('x').export();
  await larder.user('x').import(image);
  await larder.user(user.id).erase();
  await larder.users();
  await tokens.create({ userId: 'x' });
  await tokens.publicKeys();
  await keys.list();
  await keys.get('x');
  await keys.create({ scopes: ['scan'] });
  await keys.change('x', { limits: { search: 10 } });
  await keys.rotate('x');
  await keys.revoke('x');
  await scans.create(image, { clientId: 'app' });
  await scans.get('x');
  await scans.remove('x');
  for await (const _ of scans.open('x').states()) break;
  await unversioned.search({ q: 'rice' });
  await unversioned.parse({ text: 'rice' });
  await unversioned.byBarcode('17');
  await unversioned.byBarcode('(01)09506000134352');
  await unversioned.list();
  await unversioned.createScan(image, { clientId: 'app' });
  await unversioned.scan('x');
  await webhooks.list();
  await webhooks.get('x');
  await webhooks.create({ url: 'https://app.test/', events: ['diary.changed'] });
  await webhooks.change('x', { isEnabled: true });
  await webhooks.rotate('x');
  await webhooks.test('x');
  await webhooks.deliveries('x');
  await webhooks.redeliver('x', 'x');
  await webhooks.remove('x');
  await service.health();
  await service.readiness();
  await service.metrics();
}

it('the client calls each operation of both documents, with all that it requires', async () => {
  const answer = () => {
    return new Response('data: {"jobId":"x","status":"completed"}\n\n');
  };
  const script = new ScriptedFetch(
    Array.from(
      { length: 120 },
      () =>
        ({ url, headers }) =>
          headers.get('accept') === 'text/event-stream'
            ? answer()
            : Response.json({ jobId: 'x', uploadUrl: `https://objects.test/${url.length}` }),
    ),
  );
  const options = { url: 'http://food.test', key: 'k', fetch: script.fetch };
  await callAll(new Larder(options));
  const facts = new Facts(options);
  await facts.of('x');
  await facts.nutrients();
  const sent = script.sent.filter(({ url }) => url.startsWith('http://food.test'));

  const paths = DOCUMENTS.flatMap((document) => Object.entries(document.paths));
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  );
  const isOf = ({ path, method }: { path: string; method: string }) => {
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '(x|17)')}$`);
    return sent.filter((request) => request.method === method && pattern.test(new URL(request.url).pathname));
  };
  const reached = operations.filter((operation) => isOf(operation).length > 0);
  const missed = operations.filter(
    (operation) => !reached.includes(operation) && !OF_THE_PAGE.test(operation.path),
  );
  expect(missed.map(({ operationId }) => operationId).toSorted()).toEqual(NOT_CALLED);
  for (const operation of reached) {
    const [request] = isOf(operation);
    const { searchParams } = new URL(request!.url);
    for (const { name, in: place, required } of operation.parameters ?? []) {
      if (required && place === 'query')
        expect([operation.operationId, searchParams.has(name)]).toEqual([operation.operationId, true]);
    }
  }
});
