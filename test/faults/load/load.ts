import { Random } from '../../../bench/support/search-random.ts';
import type { Lab } from '../cluster/lab.ts';
import { takePictures } from '../cluster/pictures.ts';
import type { History } from '../history.ts';
import { ask } from './asking.ts';
import type { ClientOptions } from './client.ts';
import { DiaryDevice } from './diary-client.ts';
import { DiaryUser } from './diary-user.ts';
import { askForFoods } from './food-client.ts';
import { sendPicture, sendPictures } from './scan-client.ts';

const SEARCHERS = 2;
const DEVICES = 2;
const PHOTOGRAPHERS = 2;
/** Users whose devices have their own tokens; the others use the key. */
const USERS = [
  { id: 'ann', hasToken: true },
  { id: 'bob', hasToken: false },
];

/** Clients of all kinds, each of which sends requests in sequence until it is stopped. */
export interface Load {
  /** Starts additional scans, all at once. */
  burst(count: number): Promise<unknown>;
  /** Resolves when all running requests are finished. */
  stop(): Promise<void>;
  /** Lists every day of every user as each of these nodes sees it. */
  readAll(urls: readonly string[]): Promise<void>;
}

export async function startLoad(lab: Lab, history: History, seed: number): Promise<Load> {
  const stopping = new AbortController();
  const { url, key, products } = lab;
  let clients = 0;
  const parts = (kind: string, credential = key): ClientOptions => ({
    name: `${kind}-${++clients}`,
    ...{ url, key: credential, history, products, signal: stopping.signal },
    random: new Random({ seed: seed + clients }),
  });
  const pictures = await takePictures(products);
  const users = await Promise.all(
    USERS.map(async ({ id, hasToken }) => ({
      user: new DiaryUser({ id }),
      credential: hasToken ? await tokenOf(id, lab, history) : key,
    })),
  );
  const devices = users.flatMap(({ user, credential }) =>
    Array.from({ length: DEVICES }, () => ({
      user,
      device: new DiaryDevice({ ...parts('device', credential), user }),
    })),
  );
  const working = [
    ...Array.from({ length: SEARCHERS }, () => askForFoods('search', parts('searcher'))),
    askForFoods('barcode', parts('scanner')),
    ...devices.map(({ device }) => device.work()),
    ...Array.from({ length: PHOTOGRAPHERS }, () => sendPictures({ ...parts('photographer'), pictures })),
  ];
  return {
    burst: (count) =>
      Promise.all(Array.from({ length: count }, () => sendPicture({ ...parts('visitor'), pictures }))),
    async stop() {
      stopping.abort();
      await Promise.all(working);
    },
    async readAll(urls) {
      const readers = devices.filter(
        ({ user }, at) => devices.findIndex((other) => other.user === user) === at,
      );
      for (const { user, device } of readers) {
        for (const date of user.dates) for (const node of urls) await device.list(date, node);
      }
    },
  };
}

async function tokenOf(user: string, { url, key }: Lab, history: History): Promise<string> {
  const { json } = await ask(history, `${url}/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_secret: key, user_id: user, scope: 'diary:read diary:write' }),
  });
  return json.access_token;
}
