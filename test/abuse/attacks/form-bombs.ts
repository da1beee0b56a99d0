import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { formBomb } from '../generators/bodies.ts';

const COUNT = 60;
/** As measured before they were bounded: 40,000 names in 199 kB blocked a thread for 25 s. */
const FIELDS = [40_000, 10_000, 1_000, 33];

/** Forms of many fields, by nobody in particular. */
export const formBombs: Attack = {
  name: 'form bombs',
  async run({ client, endsAtMs }) {
    const bodies = FIELDS.map(formBomb);
    const sent = await inParallel({ count: COUNT, width: 4, endsAtMs }, async (at) => {
      await client.send('/v1/auth/token', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: bodies[at % bodies.length]!,
        localAddress: `127.0.3.${1 + (at % 250)}`,
      });
    });
    return { sent: `${sent} forms of up to 40,000 fields`, breaches: [] };
  },
};
