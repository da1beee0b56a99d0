/**
 * Compares the processor time of a request with that in another checkout.
 *
 *     npm run bench -- paired --root OTHER_CHECKOUT [--rounds 15] [--only search]
 *
 * Both services run on one machine with one API thread each. Each round measures one and then the other, in
 * changing order. Prints the medians of the processor time of a request over all threads, and the median of
 * the ratios of rounds.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { cpuSeconds } from './support/diary-service.ts';
import { runLoad } from './support/raw-client.ts';
import { openSoakService } from './support/soak-service.ts';

const CONNECTIONS = 8;
const ROUND_MS = 1_000;
const MIB = 2 ** 20;
const WORDS =
  'apple banana bread butter cheese chicken chocolate coffee cream egg fish honey juice milk oat rice'.split(
    ' ',
  );
const FOODS = 400;
const USERS = 50;
const DAYS = 20;

const { values } = parseArgs({
  options: {
    root: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
  },
});
if (values.root === undefined) throw new Error('Name the other checkout: --root FOLDER');

interface Side {
  readonly port: number;
  readonly pid: number;
  readonly kinds: Readonly<Record<string, () => string>>;
}

await using otherService = await openSoakService({ root: values.root, settings: { LARDER_THREADS: '1' } });
await using thisService = await openSoakService({ settings: { LARDER_THREADS: '1' } });
const other = await prepare(otherService);
const own = await prepare(thisService);

console.log('| processor time of a request, us | other | this | ratio, median (quartiles) | load average |');
console.log('| --- | --- | --- | --- | --- |');
for (const kind of Object.keys(own.kinds).filter((name) => name.includes(values.only))) {
  const ratios: number[] = [];
  const [otherUs, ownUs]: [number[], number[]] = [[], []];
  await timeOf(other, kind);
  await timeOf(own, kind);
  for (let round = 0; round < Number(values.rounds); round++) {
    const isOwnFirst = round % 2 === 0;
    const before = isOwnFirst ? await timeOf(own, kind) : undefined;
    const theirs = await timeOf(other, kind);
    const ours = before ?? (await timeOf(own, kind));
    otherUs.push(theirs);
    ownUs.push(ours);
    ratios.push(ours / theirs);
  }
  const spread = [0.25, 0.75].map((share) => quantile(ratios, share).toFixed(2)).join(' to ');
  console.log(
    `| ${kind} | ${quantile(otherUs, 0.5).toFixed(0)} | ${quantile(ownUs, 0.5).toFixed(0)} | ` +
      `${quantile(ratios, 0.5).toFixed(2)} (${spread}) | ${loadavg()[0]!.toFixed(1)} |`,
  );
}
const mib = ({ pid }: Side) => (pssBytes(pid) / MIB).toFixed(0);
console.log(`| memory afterwards, PSS, MiB | ${mib(other)} | ${mib(own)} | | |`);

/** Microseconds of processor time that a request of this kind takes. */
async function timeOf({ port, pid, kinds }: Side, kind: string): Promise<number> {
  const before = cpuSeconds(pid);
  const requests = Array.from({ length: CONNECTIONS }, () => kinds[kind]!);
  const { latenciesUs } = await runLoad({ port, requests, durationMs: ROUND_MS });
  return ((cpuSeconds(pid) - before) * 1e6) / latenciesUs.length;
}

/** Prepares a service with data and creates its requests. */
async function prepare({ url, key, pid }: { url: string; key: string; pid: number }): Promise<Side> {
  const send = async (path: string, body?: unknown): Promise<never> => {
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as never;
  };
  const [food] = (await send('/v1/foods/search?q=banana&limit=1')) as { id: string }[];
  for (let i = 0; i < FOODS; i++) {
    const macros = { energy: 100, protein: 1, fat: 1, carbohydrates: 20 };
    await send('/v1/foods', {
      name: `Paired ${i}`,
      barcode: barcode(i),
      servingSize: { value: 100, unit: 'g' },
      macros,
      userId: 'owner',
    });
  }
  const entry = (date: string, quantity: number) => ({
    date,
    mealType: 'lunch',
    foodId: food!.id,
    quantity,
    unit: 'g',
  });
  // Before 1.0.0 one address took entries alone and in arrays, and listed days and ranges.
  const range = (from: number, to: number) => `from=${dateOf(from)}&to=${dateOf(to)}`;
  const headers = { authorization: `Bearer ${key}` };
  const { status } = await fetch(`${url}/v1/users/u0/diary/entries?${range(0, 4)}`, { headers });
  const [batch, list] = status === 200 ? ['/batch', '/entries'] : ['', ''];
  for (let user = 0; user < USERS; user++) {
    for (let day = 0; day < DAYS; day++) {
      const entries = [1, 2, 3, 4, 5].map((each) => entry(dateOf(day), each * 20 + user));
      await send(`/v1/users/u${user}/diary${batch}`, entries);
    }
  }
  let asked = 0;
  const get = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const post = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  /** A text that no earlier request contained. */
  const query = () => {
    const i = asked++;
    const [first, second] = [WORDS[i % 16]!, WORDS[(i >> 4) % 16]!];
    return `${first}%20${second.slice(0, 2 + ((i >> 8) % 4))}&limit=${5 + ((i >> 10) % 6)}`;
  };
  return {
    port: Number(new URL(url).port),
    pid,
    kinds: {
      'search, not kept': () => get(`/v1/foods/search?q=${query()}`),
      'search, kept': () => get('/v1/foods/search?q=banana&limit=10'),
      'barcode, not kept': () => get(`/v1/foods/barcode/${barcode(asked++ % FOODS)}?userId=owner`),
      'one entry': () =>
        post(`/v1/users/w${asked++ % 500}/diary`, JSON.stringify(entry('2026-01-31', 1 + (asked % 900)))),
      'entries of 5 days, not kept': () =>
        get(
          `/v1/users/u${asked++ % USERS}/diary${list}?${range(asked % 10, (asked % 10) + 4)}&limit=${20 + ((asked >> 8) % 80)}`,
        ),
      'entries of a day, kept': () => get(`/v1/users/u1/diary?date=${dateOf(0)}`),
      'totals of a day, kept': () => get(`/v1/users/u1/diary/totals?date=${dateOf(0)}`),
    },
  };
}

function dateOf(day: number): string {
  return new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
}

/** An EAN-13 from the range for internal use by companies. */
function barcode(number: number): string {
  const digits = `40063813${String(number).padStart(4, '0')}`;
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return digits + ((10 - (sum % 10)) % 10);
}

function pssBytes(pid: number): number {
  const kib = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1];
  return Number(kib) * 1024;
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)]!;
}
