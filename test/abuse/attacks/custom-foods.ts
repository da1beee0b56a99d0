import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { pathologicalText, SCRIPT_NAMES } from '../generators/texts.ts';

const WIDTH = 8;
const ALIASES = 20;
const ALIAS_LENGTH = 150;

/** Foods with twenty long names each, until they are refused: all of them are to be found by search at once. */
export const customFoods: Attack = {
  name: 'custom foods',
  async run({ client, key, random, count, endsAtMs }) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const text = () =>
      [...pathologicalText(random.pick(SCRIPT_NAMES), random).trim()].slice(0, ALIAS_LENGTH).join('');
    const macros = { energy: 50, protein: 1, fat: 1, carbohydrates: 10 };
    const sent = await inParallel({ count: count(4_000, 1_000), width: WIDTH, endsAtMs }, async () => {
      const aliases = Array.from({ length: ALIASES }, text);
      const food = { name: `Food ${text()}`, aliases, servingSize: { value: 20, unit: 'g' }, macros };
      await client.send('/v1/foods', { method: 'POST', headers, body: JSON.stringify(food) });
      await client.send(`/v1/foods/search?q=${encodeURIComponent(text())}`, { headers });
    });
    return { sent: `${sent} foods with ${ALIASES} names each`, breaches: [] };
  },
};
