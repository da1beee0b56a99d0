/**
 * Measures what a tool call costs beyond the operations that it runs, and how much memory the protocol takes.
 *
 *     npm run bench -- assistants [--requests 500] [--rounds 5]
 *
 * Processor time of a service with one API thread, as medians of alternating rounds.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { cpuSeconds, startDiaryService } from './support/diary-service.ts';

const REVISION = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol';
const META = {
  [`${PREFIX}/protocolVersion`]: REVISION,
  [`${PREFIX}/clientInfo`]: { name: 'bench', version: '1' },
  [`${PREFIX}/clientCapabilities`]: {},
};
const FIRST_DAY_MS = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '500' }, rounds: { type: 'string', default: '5' } },
});
const requests = Number(values.requests);

const service = await startDiaryService(1);
const [, authorization] = /authorization: (.*)\r\n/.exec(service.headers)!;

async function send(path: string, body?: object, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(service.url + path, {
    headers: {
      authorization: authorization!,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"isError":true')) throw new Error(text);
}

function message(
  method: string,
  params: { readonly name?: string; readonly arguments?: object } = {},
): Promise<void> {
  const { name } = params;
  return send(
    '/mcp?userId=ann',
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
    {
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    },
  );
}

let written = 0;
/** Each write goes to its own day, so that no day grows. */
const nextDay = () => new Date(FIRST_DAY_MS + (written++ % 30_000) * DAY_MS).toISOString().slice(0, 10);
const readDay = async (user: string, date: string) => {
  await send(`/v1/users/${user}/diary?date=${date}`);
  await send(`/v1/users/${user}/diary/totals?date=${date}&remaining=true`);
};

const kinds: Readonly<Record<string, () => Promise<void>>> = {
  'tools/list': () => message('tools/list'),
  'a day, two requests': () => readDay('ann', '2030-01-01'),
  get_day: () => message('tools/call', { name: 'get_day', arguments: { date: '2030-01-01' } }),
  'an entry and its day, three requests': async () => {
    const date = nextDay();
    const entry = { date, mealType: 'lunch', foodName: 'Soup', calories: 100 };
    await send('/v1/users/bob/diary/batch', [entry], { 'idempotency-key': `bench-${written}` });
    await readDay('bob', date);
  },
  log_meal: () => {
    const foods = [{ foodName: 'Soup', nutrients: { energy: 100 } }];
    return message('tools/call', {
      name: 'log_meal',
      arguments: { date: nextDay(), mealType: 'lunch', foods },
    });
  },
};

try {
  await readDay('ann', '2030-01-01');
  const before = memoryMiB();
  await message('tools/list');
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
  console.log(`memory: ${before} MiB, after the first message ${memoryMiB()} MiB`);
  const spent = new Map(Object.keys(kinds).map((name) => [name, [] as number[]]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, ask] of Object.entries(kinds)) {
      const startS = cpuSeconds(service.pid);
      for (let i = 0; i < requests; i++) await ask();
      spent.get(name)!.push(((cpuSeconds(service.pid) - startS) / requests) * 1e6);
    }
  }
  for (const [name, us] of spent) {
    us.sort((a, b) => a - b);
    const [least, median, most] = [us[0]!, us[Math.floor(us.length / 2)]!, us.at(-1)!].map(Math.round);
    console.log(`${name}: ${median} us of processor time (${least} to ${most})`);
  }
} finally {
  await service.stop();
}

function memoryMiB(): number {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024);
}
