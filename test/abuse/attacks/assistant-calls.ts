import type { Attack } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { ODD_VALUES } from '../generators/bodies.ts';
import { foodLines } from '../generators/food-texts.ts';

/** As the texts with foods, which are the dearest calls. */
const WIDTH = 2;
const DAY = { userId: 'eve', date: '2030-01-01', mealType: 'lunch' };
const KIB = 1024;
/** No call makes an answer longer than this. */
const MAX_ANSWER_CHARACTERS = 1024 * KIB;
const FIRST_FAULT = 500;
/** Answered when a limit of the service is reached, by design. */
const UNAVAILABLE = 503;

type Call = (lines: readonly string[]) => readonly [name: string, given: unknown];

/** The dearest arguments of each tool, and some that none takes. */
const CALLS: readonly Call[] = [
  (lines) => ['read_meal', { userId: 'eve', text: lines.join(' and ').slice(0, 2_000) }],
  (lines) => ['log_meal', { ...DAY, partial: true, text: lines.join('\n').slice(0, 2_000) }],
  () => [
    'log_meal',
    { ...DAY, foods: Array.from({ length: 100 }, () => ({ foodName: 'x', nutrients: { energy: 1 } })) },
  ],
  () => ['copy_meal', { userId: 'eve', from: DAY.date, to: '2030-01-02' }],
  () => ['get_day', { userId: 'eve', date: DAY.date }],
  () => ['get_trend', { userId: 'eve', to: DAY.date, days: 92 }],
  () => ['search_foods', { query: 'a'.repeat(200), limit: 20 }],
  () => ['scan_photo', { imageBase64: Buffer.alloc(600 * KIB, 1).toString('base64') }],
  () => ['scan_photo', { imageBase64: `AAAA${' '.repeat(900 * KIB)}!` }],
  () => ['get_day', { userId: 'eve', timeZone: 'x'.repeat(100_000) }],
  () => ['x'.repeat(100_000), {}],
  () => ['set_goals', { userId: 'eve', from: DAY.date, ...Object.fromEntries(lines(5_000)) }],
];

function lines(count: number): [string, number][] {
  return Array.from({ length: count }, (_, at) => [`field${at}`, at]);
}

const METHODS = [
  'tools/call',
  'tools/list',
  'initialize',
  'server/discover',
  'subscriptions/listen',
  'ping',
  'x',
];
const REVISIONS = ['2026-07-28', '2025-11-25', '2024-11-05', 'x'];

/** Messages to `/mcp`: calls of tools with dear and wrong arguments, other methods, both revisions, and what is no message. */
export const assistantCalls: Attack = {
  name: 'calls of assistants',
  async run({ client, key, random, count, endsAtMs }) {
    const breaches = new Set<string>();
    const sent = await inParallel({ count: count(20_000, 800), width: WIDTH, endsAtMs }, async (at) => {
      const [name, given] = random.pick(CALLS)(foodLines(random));
      const method = at % 3 === 0 ? random.pick(METHODS) : 'tools/call';
      const revision = random.pick(REVISIONS);
      const meta = {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const params = {
        name,
        arguments: given,
        protocolVersion: revision,
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      };
      const message = {
        jsonrpc: '2.0',
        id: at,
        method,
        params: { ...params, ...(at % 2 === 0 && { _meta: meta }) },
      };
      const body = at % 20 === 0 ? random.pick(ODD_VALUES) : JSON.stringify(message);
      const answer = await client.send('/mcp', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(at % 2 === 0 && {
            'mcp-protocol-version': revision,
            'mcp-method': method,
            'mcp-name': name.slice(0, 100),
          }),
        },
        body,
      });
      if (answer.body.length > MAX_ANSWER_CHARACTERS)
        breaches.add(`${name} answered with ${answer.body.length}`);
      if (answer.status >= FIRST_FAULT && answer.status !== UNAVAILABLE)
        breaches.add(`${method} ${name.slice(0, 20)} answered ${answer.status}`);
    });
    return { sent: `${sent} messages`, breaches: [...breaches] };
  },
};
