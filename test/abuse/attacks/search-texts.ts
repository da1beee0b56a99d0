import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { pathologicalText, SCRIPT_NAMES } from '../generators/texts.ts';

const WIDTH = 2;

/** The dearest texts that a search takes, in ten scripts, each another one. */
export const searchTexts: Attack = {
  name: 'search texts',
  async run({ client, key, random, count, endsAtMs }) {
    const headers = { authorization: `Bearer ${key}`, 'x-api-key': key };
    const sent = await inParallel({ count: count(50_000, 3_000), width: WIDTH, endsAtMs }, async (at) => {
      const text = encodeURIComponent(pathologicalText(SCRIPT_NAMES[at % SCRIPT_NAMES.length]!, random));
      await client.send(`${at % 2 === 0 ? '/v1' : ''}/foods/search?limit=100&q=${text}`, { headers });
    });
    return { sent: `${sent} searches in ${SCRIPT_NAMES.length} scripts`, breaches: [] };
  },
};
