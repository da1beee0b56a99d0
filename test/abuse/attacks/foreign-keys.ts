import { DOCUMENT_FILES } from '../../../src/http/openapi/document-files.ts';
import type { Attack, Scene } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';

const WIDTH = 4;
const ROUNDS = 9;
/** In all that the victim writes, so that whoever reads of it is seen. */
const SECRET = 'only-for-the-victim';
const USER = 'careful';

interface Owned {
  readonly path: string;
  readonly read: string;
}

/** The key of one tenant on every route, with the ids of what another has. */
export const foreignKeys: Attack = {
  name: 'keys of other tenants',
  async run(scene) {
    const { client, key, endsAtMs } = scene;
    const { params, owned } = await prepare(scene);
    const routes: (readonly [string, string])[] = [];
    for (const file of Object.values(DOCUMENT_FILES)) {
      const { body } = await client.send(`/${file}`, { localAddress: '127.0.6.1' });
      const { paths } = JSON.parse(body) as { paths: Record<string, Record<string, unknown>> };
      for (const [path, methods] of Object.entries(paths))
        routes.push(...Object.keys(methods).map((method) => [method.toUpperCase(), path] as const));
    }
    const told: string[] = [];
    const sent = await inParallel({ count: routes.length * ROUNDS, width: WIDTH, endsAtMs }, async (at) => {
      const [method, path] = routes[at % routes.length]!;
      const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? 'none'));
      // The stream of a scan of others would last; its own keys of the attacker would be revoked.
      const answer = await client.send(
        `${address}?q=${SECRET}&date=2020-01-01&from=2020-01-01&to=2020-01-02`,
        {
          method,
          timeoutMs: 5_000,
          headers: { authorization: `Bearer ${key}`, 'x-api-key': key, 'content-type': 'application/json' },
          ...(method !== 'GET' && method !== 'DELETE' && { body: bodyOf(at) }),
        },
      );
      const isFound = answer.status < 300 && answer.body.includes(params['id']!);
      if ((answer.body.includes(SECRET) && method === 'GET') || isFound)
        told.push(`${method} ${path} tells of others`);
      const isOwned = /\{(id|entryId|recipeId|jobId|keyId)\}/.test(path);
      if (isOwned && answer.status >= 200 && answer.status < 300)
        told.push(`${method} ${path}: ${answer.status}`);
    });
    return {
      sent: `${sent} requests to ${routes.length} routes`,
      breaches: [...new Set(told), ...(await changed(scene, owned))],
    };
  },
};

function bodyOf(at: number): string {
  const bodies = [
    {},
    { name: 'Taken' },
    { text: `10 g Jam ${SECRET}` },
    { limits: { search: 1 } },
    { name: 'Taken', servings: 1, ingredients: [`10 g Jam ${SECRET}`, '1 egg'], partial: true },
    { mealType: 'snack' },
    { date: '2020-01-01', mealType: 'lunch', foodName: 'x', calories: 1, protein: 1, carbs: 1, fat: 1 },
    { from: '2020-01-01', to: '2020-01-02' },
    { clientId: 'x', contentType: 'image/png' },
  ];
  return JSON.stringify(bodies[at % bodies.length]);
}

/** Something of everything that a tenant can have. */
async function prepare({ client, victimKey }: Scene) {
  const headers = { authorization: `Bearer ${victimKey}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const answer = await client.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body);
  };
  const macros = { energy: 50, protein: 1, fat: 1, carbohydrates: 10 };
  const food = await post('/v1/foods', {
    name: `Jam ${SECRET}`,
    servingSize: { value: 20, unit: 'g' },
    macros,
  });
  const meal = { mealType: 'lunch', foodName: SECRET, calories: 1, protein: 1, carbs: 1, fat: 1 };
  const entry = await post(`/v1/users/${USER}/diary`, { date: '2020-01-01', ...meal });
  const ingredients = [{ foodId: food.id, quantity: 10, unit: 'g' }];
  const recipe = await post(`/v1/users/${USER}/recipes`, { name: SECRET, servings: 1, ingredients });
  const measured = { name: SECRET, value: 72.4, unit: 'kg' };
  const measurement = await post(`/v1/users/${USER}/measurements`, measured);
  const scan = await post('/v1/scan/image', { clientId: SECRET, contentType: 'image/png' });
  const made = await post('/v1/keys', { scopes: ['foods:read'], name: SECRET });
  const owned: string[] = [
    `/v1/foods/${encodeURIComponent(food.id)}`,
    `/v1/users/${USER}/diary/${entry.id}`,
    `/v1/users/${USER}/recipes/${recipe.id}`,
    `/v1/users/${USER}/measurements/${measurement.id}`,
    `/v1/scan/image/${scan.jobId}`,
    `/v1/keys/${made.id}`,
  ];
  const reads = await Promise.all(owned.map(async (path) => (await client.send(path, { headers })).body));
  return {
    params: {
      ...{
        userId: USER,
        id: food.id,
        upc: '96385074',
        entryId: entry.id,
        recipeId: recipe.id,
        measurementId: measurement.id,
        jobId: scan.jobId,
      },
      keyId: made.id,
    } as Record<string, string>,
    owned: owned.map((path, at): Owned => ({ path, read: reads[at]! })),
  };
}

async function changed({ client, victimKey }: Scene, owned: readonly Owned[]): Promise<string[]> {
  const now = await Promise.all(
    owned.map(({ path }) => client.send(path, { headers: { authorization: `Bearer ${victimKey}` } })),
  );
  return owned.flatMap(({ path, read }, at) =>
    now[at]!.body === read ? [] : [`${path} was changed: ${now[at]!.status}`],
  );
}
