/**
 * What does it take to take everything along, to bring it, to follow it and to erase it?
 *
 *     npm run bench -- own-data [--years 3] [--rounds 3]
 *
 * One user with twelve entries a day, through a service with one API thread: time and processor time of the service, medians.
 */
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuSeconds } from './support/diary-service.ts';
import { openSoakService } from './support/soak-service.ts';

const APP_FILES = join(import.meta.dirname, '../test/support/diary-exports');
const ENTRIES_A_DAY = 12;
const BATCH = 100;
const PAGE = 500;
const STEADY = 200;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const MEALS = ['breakfast', 'lunch', 'dinner', 'snacks'];
/** Days of each file of another app. */
const APPS = [
  { name: 'myfitnesspal', rowsADay: 4 },
  { name: 'cronometer', rowsADay: 12 },
];

const { values } = parseArgs({
  options: { years: { type: 'string', default: '3' }, rounds: { type: 'string', default: '3' } },
});
const days = Math.round(Number(values.years) * 365);
const figures = new Map<string, { ms: number[]; cpuMs: number[] }>();

let exportBytes = 0;
await using service = await openSoakService({ settings: { LARDER_THREADS: '1' } });
const headers = { authorization: `Bearer ${service.key}` };
await fill('owner');
for (let round = 0; round < Number(values.rounds); round++) {
  const copy = `copy-${round}`;
  const file = await measured('export', () => ask('GET', 'owner', 'export'));
  exportBytes = Buffer.byteLength(file);
  await measured('import of the own export', () => ask('POST', copy, 'import', file, 'application/x-ndjson'));
  const cursor = await measured('feed: the first sync', () => follow(copy));
  await measured(`feed: ${STEADY} times nothing new`, async () => {
    for (let times = 0; times < STEADY; times++) await ask('GET', copy, `changes?after=${cursor}`);
    return '';
  });
  await measured('import of the own export again', () =>
    ask('POST', copy, 'import', file, 'application/x-ndjson'),
  );
  await measured('erasure', () => ask('DELETE', copy, ''));
  for (const { name, rowsADay } of APPS) {
    const csv = fileOf(name, rowsADay);
    await measured(`import of ${csv.rows} rows of ${name}`, () =>
      ask('POST', `${name}-${round}`, 'import?timeZone=UTC', csv.text, 'text/csv'),
    );
  }
}

console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}`);
console.log(
  `${days * ENTRIES_A_DAY} entries, an export of ${(exportBytes / 1e6).toFixed(1)} MB, medians of ${values.rounds}, load average ${loadavg()[0]!.toFixed(1)}\n`,
);
console.log('| | ms | processor time of the service, ms |\n|---|---|---|');
for (const [name, { ms, cpuMs }] of figures) console.log(`| ${name} | ${median(ms)} | ${median(cpuMs)} |`);

async function measured(name: string, work: () => Promise<string>): Promise<string> {
  const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(service.pid)];
  const answer = await work();
  const figure = figures.get(name) ?? { ms: [], cpuMs: [] };
  figure.ms.push(performance.now() - startedAt);
  figure.cpuMs.push((cpuSeconds(service.pid) - cpuBefore) * 1_000);
  figures.set(name, figure);
  return answer;
}

/** Resolves with the body of the answer. Throws for an error. */
async function ask(method: string, user: string, path: string, body?: string, type = 'application/json') {
  const answer = await fetch(`${service.url}/v1/users/${user}${path === '' ? '' : `/${path}`}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return text;
}

/** Reads the feed from its beginning, and resolves with the cursor at its end. */
async function follow(user: string): Promise<string> {
  let cursor: string | undefined;
  for (let more = true; more; ) {
    const after: string = cursor === undefined ? '' : `&after=${cursor}`;
    ({ cursor, more } = JSON.parse(await ask('GET', user, `changes?limit=${PAGE}${after}`)));
  }
  return cursor!;
}

async function fill(user: string): Promise<void> {
  const entries = Array.from({ length: days * ENTRIES_A_DAY }, (_, at) => ({
    date: dayOf(Math.floor(at / ENTRIES_A_DAY)),
    mealType: MEALS[at % MEALS.length],
    foodName: `Food ${at % 400}`,
    calories: 50 + (at % 400),
    protein: 5,
    carbs: 20,
    fat: 3,
    fiber: 2,
    sodium: 120,
  }));
  for (let at = 0; at < entries.length; at += BATCH)
    await ask('POST', user, 'diary', JSON.stringify(entries.slice(at, at + BATCH)));
}

function dayOf(at: number): string {
  return new Date(FIRST_DAY + at * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** An export of another app of all days: the rows of its example, each with another date. */
function fileOf(app: string, rowsADay: number): { readonly text: string; readonly rows: number } {
  const [head, ...rows] = readFileSync(join(APP_FILES, `${app}.csv`), 'utf8')
    .trim()
    .split(/\r?\n/);
  const dated = rows.filter((row) => /^\d{4}-\d\d-\d\d,/.test(row));
  const all = Array.from({ length: days * rowsADay }, (_, at) => {
    const row = dated[at % dated.length]!;
    return dayOf(Math.floor(at / rowsADay)) + row.slice('YYYY-MM-DD'.length);
  });
  return { text: [head, ...all].join('\n'), rows: all.length };
}

function median(numbers: readonly number[]): string {
  const middle = numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
  return middle.toFixed(middle < 10 ? 1 : 0);
}
