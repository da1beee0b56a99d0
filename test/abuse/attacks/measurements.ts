import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { leakIn } from '../attacker/leaks.ts';
import { ODD_VALUES } from '../generators/bodies.ts';

const WIDTH = 8;
/** docs/diary.md: measurements of one user. */
const QUOTA = 50_000;
const FIRST_FAULT = 500;
/** Answered when a limit of the service is reached, by design. */
const UNAVAILABLE = 503;
const TIMES = [
  '9999-12-31T23:59:59+14:00',
  '0001-01-01T00:00:00-12:00',
  '2030-02-30T00:00:00Z',
  '2030-01-01',
  'x',
  '',
];
const VALUES = [0, 1e-300, 1e300, -1, 1e9, '72.4', null];
const NAMES = [
  'weight',
  '\u0000',
  '\ud800',
  'x'.repeat(5_000),
  '🥚'.repeat(60),
  '<b>',
  "' or 1=1 --",
  '__proto__',
];
const READS = [
  'measurements?limit=100',
  'measurements?from=0001-01-01&to=9999-12-31&limit=100',
  `measurements?name=${'x'.repeat(4_000)}`,
  'measurements?after=9999-12-31.999999999999999.x',
  'measurements?after=2030-01-01.-1.01KG9V4N00000000000000MEAS',
  'measurements?name=%00',
  'export',
  'changes?limit=100',
];

/** Measurements without end, of odd names, values and times, and every way to read them. */
export const measurementFloods: Attack = {
  name: 'measurements',
  async run({ client, key, random, count, endsAtMs }) {
    const breaches = new Set<string>();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    let stored = 0;
    const sent = await inParallel({ count: count(40_000, 3_000), width: WIDTH, endsAtMs }, async (at) => {
      const path = `/v1/users/eve/${at % 4 === 3 ? random.pick(READS) : 'measurements'}`;
      const odd = {
        name: random.pick(NAMES),
        value: random.pick(VALUES),
        unit: 'kg',
        measuredAt: random.pick(TIMES),
      };
      const sound = { name: 'weight', value: at % 500, unit: 'kg' };
      const body = at % 40 === 2 ? random.pick(ODD_VALUES) : JSON.stringify(at % 4 === 1 ? odd : sound);
      const answer = await client.send(path, at % 4 === 3 ? { headers } : { method: 'POST', headers, body });
      if (answer.status === 201) stored++;
      const leak = leakIn(answer);
      if (leak !== undefined) breaches.add(`${path} tells of ${leak}`);
      if (answer.status >= FIRST_FAULT && answer.status !== UNAVAILABLE)
        breaches.add(`${path} answered ${answer.status} to ${body.slice(0, 100)}`);
    });
    if (stored > QUOTA) breaches.add(`${stored} measurements of one user`);
    return { sent: `${sent} requests, ${stored} measurements`, breaches: [...breaches] };
  },
};
