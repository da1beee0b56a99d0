import type { Attack, Scene } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { regexBait } from '../generators/texts.ts';

const WIDTH = 4;
const LENGTHS = [128, 2_000, 7_000];

type Place = (
  bait: string,
  scene: Scene,
) => readonly [path: string, headers?: Record<string, string>, body?: object];

/** Everywhere where a text of the client is checked or taken apart. */
const PLACES: readonly Place[] = [
  (bait) => [`/v1/foods/search?q=${bait}`],
  (bait) => [`/v1/foods/barcode/${bait}`],
  (bait) => [`/v1/foods/${bait}`],
  (bait) => [`/v1/users/${bait}/diary?date=2030-01-01`],
  (bait) => [`/v1/users/eve/diary?date=${bait}`],
  (bait) => [`/v1/users/eve/diary/entries?from=${bait}&to=${bait}`],
  (bait) => [`/v1/users/eve/diary/${bait}`],
  (bait) => [`/v1/users/eve/recipes?after=${bait}&limit=${bait}`],
  (bait) => [`/v1/keys?after=${bait}`],
  (bait) => [`/v1/foods?after=manual:${bait}&limit=${bait}`],
  (bait) => [`/v1/foods/batch?ids=${bait}`],
  (bait) => [`/v1/scan/image/${bait}`],
  (bait) => [`/v1/scan/image/${bait}/stream/by-ticket?ticket=${bait}`],
  (bait) => [`/objects/images/${bait}?expires=${bait}`],
  (bait) => ['/healthz', { 'x-request-id': bait }],
  (bait) => ['/v1/foods/starter:banana', { 'if-none-match': bait }],
  (bait) => ['/healthz', { origin: bait, host: bait.replace(/[^a-z0-9.]/gi, 'a') }],
  (bait) => ['/healthz', { 'x-forwarded-for': bait, 'x-forwarded-host': bait }],
  (bait) => ['/v1/foods/search?q=ab', { authorization: `Bearer ${bait}` }],
  (bait) => ['/v1/foods/search?q=ab', { authorization: bait }],
  (bait) => [
    '/v1/users/eve/diary',
    { 'idempotency-key': bait },
    { date: bait, mealType: bait, foodName: bait },
  ],
  (bait) => [
    '/v1/users/eve/diary',
    {},
    { date: '2030-01-01', mealType: 'lunch', foodId: bait, quantity: 1, unit: bait },
  ],
  (bait) => [
    '/v1/users/eve/diary',
    {},
    { date: '2030-01-01', mealType: 'lunch', barcode: bait, quantity: 1, unit: bait },
  ],
  (bait) => [
    '/v1/users/eve/diary',
    {},
    { date: '2030-01-01', mealType: 'lunch', text: decodeURIComponent(bait), eatenAt: bait, note: bait },
  ],
  (bait) => ['/v1/foods/parse', {}, { text: decodeURIComponent(bait) }],
  (bait) => [
    '/v1/users/eve/recipes',
    {},
    { name: 'x', servings: 1, ingredients: [decodeURIComponent(bait)] },
  ],
  (bait) => [
    '/v1/users/eve/recipes',
    {},
    {
      '@type': bait,
      '@graph': [
        {
          '@type': 'Recipe',
          name: decodeURIComponent(bait),
          recipeIngredient: '1 egg',
          recipeYield: decodeURIComponent(bait),
        },
      ],
    },
  ],
  (bait) => [
    '/v1/foods',
    {},
    { name: bait, barcode: bait, servingSize: { value: 1, unit: 'g', label: bait } },
  ],
  (bait) => ['/v1/scan/image', {}, { clientId: bait, contentType: bait }],
  (bait) => ['/v1/auth/token', {}, { client_secret: bait, user_id: bait, scope: bait }],
  (bait) => ['/v1/keys', {}, { scopes: [bait], name: bait, expiresAt: bait }],
];

export const regexBaits: Attack = {
  name: 'regular-expression bait',
  async run(scene) {
    const { client, key, endsAtMs } = scene;
    const baits = LENGTHS.flatMap(regexBait);
    const count = baits.length * PLACES.length;
    const sent = await inParallel({ count, width: WIDTH, endsAtMs }, async (at) => {
      const bait = baits[Math.floor(at / PLACES.length)]!;
      const [path, headers = {}, body] = PLACES[at % PLACES.length]!(encodeURIComponent(bait), scene);
      await client.send(path, {
        headers: {
          authorization: `Bearer ${key}`,
          ...headers,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
    });
    return { sent: `${sent} requests, bait in ${PLACES.length} places`, breaches: [] };
  },
};
