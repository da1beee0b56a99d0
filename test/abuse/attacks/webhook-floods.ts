import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { ODD_VALUES } from '../generators/bodies.ts';

const WIDTH = 8;
const EVENTS = ['diary.changed', 'food.changed'];
/** Addresses that no delivery may reach: of this machine, of networks at home and of clouds, in forms that parsers differ about. */
const INTERNAL = [
  ...['https://127.0.0.1/', 'https://[::1]/', 'https://localhost/', 'https://0x7f.1/', 'https://2130706433/'],
  ...['https://[::ffff:127.0.0.1]/', 'https://169.254.169.254/latest/meta-data/', 'https://10.0.0.1/'],
  ...['https://192.168.1.1/', 'https://[fd00::1]/', 'https://[fe80::1]/', 'https://0.0.0.0/'],
];
/** Answers nobody: networks for documentation. */
const SILENT = 'https://192.0.2.1/hook';
const FIRST_FAULT = 500;
/** Answered when a limit of the service is reached, by design. */
const UNAVAILABLE = 503;

/** Webhooks of internal and silent addresses, floods of events, tests, rotations and repeated deliveries, and what is no webhook. */
export const webhookFloods: Attack = {
  name: 'floods of webhooks',
  async run({ client, key, random, count, endsAtMs }) {
    const breaches = new Set<string>();
    const send = async (method: string, path: string, body?: object | string) => {
      const answer = await client.send(path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      if (answer.status >= FIRST_FAULT && answer.status !== UNAVAILABLE)
        breaches.add(
          `${method} ${path.replaceAll(/[0-9A-Z]{26}/g, '…').slice(0, 40)} answered ${answer.status}`,
        );
      return answer;
    };
    const create = (url: string) => send('POST', '/v1/webhooks', { url, events: EVENTS });
    const created = [SILENT, SILENT, ...INTERNAL].map(create);
    const ids = (await Promise.all(created)).flatMap(({ status, body }) =>
      status === 201 ? [(JSON.parse(body) as { id: string }).id] : [],
    );
    if (ids.length === 0) breaches.add('no webhook could be created, so that nothing was attacked');
    const one = () => `/v1/webhooks/${random.pick(ids.length === 0 ? ['x'] : ids)}`;
    const attacks: readonly ((at: number) => Promise<unknown>)[] = [
      (at) => send('PUT', `/v1/users/eve-${at}/goals`, { calories: 2_000 }),
      () => send('POST', `${one()}/test`),
      () => send('POST', `${one()}/rotate`),
      () => send('GET', `${one()}/deliveries?limit=100`),
      () => create(random.pick(INTERNAL)),
      () => send('POST', '/v1/webhooks', random.pick(ODD_VALUES)),
      () => send('PATCH', one(), { url: `https://${'x'.repeat(2_000)}.example/` }),
    ];
    const wanted = { count: count(50_000, 3_000), width: WIDTH, endsAtMs };
    const sent = await inParallel(wanted, (at) => attacks[at % attacks.length]!(at));
    for (const id of ids) {
      const { status, body } = await send('GET', `/v1/webhooks/${id}/deliveries?limit=100`);
      if (status !== 200) continue;
      const reached = (JSON.parse(body) as { responseStatus?: number }[]).some(
        ({ responseStatus }) => responseStatus !== undefined,
      );
      if (reached) breaches.add('a delivery reached an address that it may not');
      await send('DELETE', `/v1/webhooks/${id}`);
    }
    return { sent: `${sent} requests`, breaches: [...breaches] };
  },
};
