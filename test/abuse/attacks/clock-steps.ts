import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Scene } from '../attack.ts';
import { setClock } from '../target/stepped-clock.ts';

const STEPS = ['+1h', '-1h', '+1d', '-1d', '+400d', '-400d', '+0'] as const;
/** Threads read their clock anew each second. */
const HOLD_MS = 1_700;
/** At the latest: libfaketime passes a step on to one thread after the other. */
const NOTICED_MS = 6_000;
const ASK_EVERY_MS = 100;
const GUESSES = 70;
const WINDOW_SECONDS = 60;

/** The service's clock jumps; tokens have to expire by it, and nobody may be locked out for longer than a minute. */
export const clockSteps: Attack = {
  name: 'clock steps',
  setup: 'stepped clock',
  async run(scene) {
    const token = await mintToken(scene);
    const breaches: string[] = [];
    for (const [at, step] of STEPS.entries()) {
      setClock(scene.clockFile, step);
      await pause(HOLD_MS);
      if (step === '+1d' && !(await isSoonRefused(scene, token))) {
        breaches.push('a token is good after its time');
      }
      // Uses up what an address may ask for, by a clock that is wrong.
      for (let guess = 0; guess < GUESSES; guess++) {
        await scene.client.send('/openapi.json', { method: 'HEAD', localAddress: `127.0.7.${1 + at}` });
      }
    }
    breaches.push(...(await lockedOut(scene)));
    if ((await statusWith(scene, scene.key)) !== 200) breaches.push('a key is refused afterwards');
    return { sent: `${STEPS.length} steps of up to 400 days`, breaches };
  },
};

async function mintToken({ client, key }: Scene): Promise<string> {
  const body = JSON.stringify({ client_secret: key, user_id: 'eve', scope: 'diary:read' });
  const headers = { 'content-type': 'application/json' };
  return JSON.parse(
    (await client.send('/v1/auth/token', { method: 'POST', headers, body, localAddress: '127.0.8.2' })).body,
  ).access_token;
}

async function statusWith({ client }: Scene, credential: string): Promise<number> {
  const headers = { authorization: `Bearer ${credential}` };
  return (await client.send('/v1/users/eve/diary?date=2030-01-01', { headers })).status;
}

async function isSoonRefused(scene: Scene, token: string): Promise<boolean> {
  const endsAt = performance.now() + NOTICED_MS;
  while ((await statusWith(scene, token)) === 200) {
    if (performance.now() > endsAt) return false;
    await pause(ASK_EVERY_MS);
  }
  return true;
}

/** Addresses that are told to wait longer than a window lasts. */
async function lockedOut({ client }: Scene): Promise<string[]> {
  const answers = await Promise.all(
    STEPS.map((_, at) => client.send('/v1/nothing', { localAddress: `127.0.7.${1 + at}` })),
  );
  const waits = answers.map(({ body }) => Number(JSON.parse(body || '{}').error?.details?.retryAfter ?? 0));
  return STEPS.flatMap((step, at) =>
    waits[at]! > WINDOW_SECONDS ? [`who asked at ${step} has to wait ${waits[at]} s`] : [],
  );
}
