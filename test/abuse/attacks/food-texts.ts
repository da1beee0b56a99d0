import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { foodLines, graphAround } from '../generators/food-texts.ts';

const WIDTH = 2;
const DAY = { date: '2030-01-01', mealType: 'lunch' };
/** No text makes an answer longer than this. */
const MAX_ANSWER_CHARACTERS = 1024 * 1024;

type Body = (lines: readonly string[]) => readonly [path: string, body: object];

/** Every way in which the service reads text with foods. */
const BODIES: readonly Body[] = [
  (lines) => ['/v1/foods/parse', { text: lines, userId: 'eve' }],
  (lines) => ['/foods/parse', { text: lines }],
  (lines) => ['/v1/foods/parse', { text: lines.join('\n').slice(0, 2_000) }],
  (lines) => ['/v1/foods/parse', { text: lines.join(' and ').slice(0, 2_000) }],
  (lines) => ['/v1/users/eve/diary/text', { ...DAY, text: lines, partial: true }],
  (lines) => ['/v1/users/eve/recipes', { name: 'x', servings: 999, ingredients: lines, partial: true }],
  (lines) => ['/v1/users/eve/recipes', graphAround(lines, 28)],
  (lines) => ['/v1/users/eve/recipes', graphAround([lines.join('\n')], 1)],
  (lines) => ['/v1/users/eve/recipes', graphAround([lines.join(' and ')], 1)],
];

/** The longest texts that are read, made to be dear. Some of what they name is written into a diary. */
export const foodTexts: Attack = {
  name: 'texts with foods',
  async run({ client, key, random, count, endsAtMs }) {
    const headers = { authorization: `Bearer ${key}`, 'x-api-key': key, 'content-type': 'application/json' };
    const long = new Set<string>();
    const sent = await inParallel({ count: count(20_000, 600), width: WIDTH, endsAtMs }, async (at) => {
      const [path, body] = BODIES[at % BODIES.length]!(foodLines(random));
      const answer = await client.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (answer.body.length > MAX_ANSWER_CHARACTERS) long.add(`${path} answered with ${answer.body.length}`);
    });
    return { sent: `${sent} texts in ${BODIES.length} ways`, breaches: [...long] };
  },
};
