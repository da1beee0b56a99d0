import { setTimeout as pause } from 'node:timers/promises';
import { MEAL_TYPES, OTHER_AMOUNTS } from '../../../src/diary/records/entry.ts';
import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';

const BATCHES = 150;
const BATCH_ENTRIES = 100;
const FIRST_DAY = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;
/** In a year, which is the longest range. */
const RANGE = 'from=2030-01-01&to=2030-12-31';
const READS = [
  `diary/entries?${RANGE}&limit=500`,
  `diary/totals/days?${RANGE}`,
  `diary/totals/days?${RANGE}&by=meal&remaining=true`,
  'diary/export?format=csv',
  'diary/export?format=json',
  'foods/recent',
  'foods/frequent',
];
/** As often as a key may read unless it is given more: 120 times a minute. */
const COUNT = 21;
const EVERY_MS = 500;
const ALL_NUTRIENTS = Object.fromEntries(OTHER_AMOUNTS.map((name) => [name, 1.234]));

/** The largest diary that can be listed, read in every way that reads much of it. */
export const heavyReads: Attack = {
  name: 'heavy reads',
  async run({ client, key, endsAtMs }) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await inParallel({ count: BATCHES, width: 2, endsAtMs }, async (at) => {
      const date = new Date(FIRST_DAY + at * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
      const meal = {
        date,
        mealType: MEAL_TYPES[at % MEAL_TYPES.length],
        foodName: `Meal ${at}`,
        calories: 1,
        protein: 1,
        carbs: 1,
        fat: 1,
        nutrients: ALL_NUTRIENTS,
      };
      const body = JSON.stringify(Array(BATCH_ENTRIES).fill(meal));
      await client.send('/v1/users/eve/diary/batch', { method: 'POST', headers, body });
    });
    const asked: Promise<unknown>[] = [];
    for (let at = 0; at < COUNT; at++) {
      asked.push(client.send(`/v1/users/eve/${READS[at % READS.length]}`, { headers }));
      await pause(EVERY_MS);
    }
    await Promise.all(asked);
    return { sent: `${COUNT} reads of up to ${BATCHES * BATCH_ENTRIES} entries`, breaches: [] };
  },
};
