/**
 * What does the page cost a phone, and the service?
 *
 *     npm run bench -- page [--only camera] [--lighthouse FOLDER] [--runs 5] [--chromium /usr/bin/chromium]
 *
 * The phone: 390 x 844, a processor four times slower than this one, 1.6 Mbit/s with 150 ms there and back, as Lighthouse assumes.
 * `--only camera` measures the camera alone. `--lighthouse` is a folder with lighthouse (`npm install --prefix FOLDER lighthouse`), whose scores of all views are then printed too.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { processFigures, pssBytes } from '../test/support/process-figures.ts';
import { openPageService } from '../tools/page/page-service.ts';
import { addSampleData } from '../tools/page/sample-data.ts';
import { VIEWS } from '../tools/page/views.ts';
import { openPath, SIZES, visitHeaders } from '../tools/page/visit.ts';
import { measureCamera } from './support/page-camera.ts';

const SLOWER = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
const MIB = 1024 * 1024;
/** Wait until garbage of the start is collected. */
const REST_MS = 45_000;
const LIGHTHOUSE_PORT = 9_333;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const AUDITS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
];
const QUERY = 'banana';
/** A cheap phone of today, and one of some years ago. */
const CAMERA_SLOWER = [4, 6];

const { values } = parseArgs({
  options: {
    lighthouse: { type: 'string' },
    only: { type: 'string' },
    runs: { type: 'string', default: '5' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const runs = Number(values.runs);

console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}`);
const isWhole = values.only === undefined;
if (isWhole) await measureMemory();
const service = await openPageService();
await addSampleData(service);
const browser = await chromium.launch({
  executablePath: values.chromium,
  args: ['--no-sandbox'],
});
if (isWhole) await measureBytes();
if (isWhole) await measurePhone();
await measureCamera({ service, executablePath: values.chromium, runs, slower: CAMERA_SLOWER });
console.log(`\nload average ${loadavg()[0]!.toFixed(1)}`);
if (values.lighthouse !== undefined) await runLighthouse(values.lighthouse);
await browser.close();
await service[Symbol.asyncDispose]();

async function measureMemory(): Promise<void> {
  console.log(
    `\n| LARDER_PAGE | RSS, PSS ${REST_MS / 1_000} s after the start, MiB | load average |\n|---|---|---|`,
  );
  for (const page of ['off', 'on', 'off', 'on']) {
    const settings = {
      LARDER_PAGE: page,
      LARDER_THREADS: '2',
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '131072',
    };
    const soak = await (await import('./support/soak-service.ts')).openSoakService({ settings });
    await pause(REST_MS);
    const sizes = [processFigures(soak.pid).rssBytes, pssBytes(soak.pid)];
    const mib = sizes.map((bytes) => Math.round(bytes / MIB)).join(', ');
    console.log(`| ${page} | ${mib} | ${loadavg()[0]!.toFixed(1)} |`);
    await soak[Symbol.asyncDispose]();
  }
}

/** Returns the bytes that each view loads beyond the first, as sent. */
async function measureBytes(): Promise<void> {
  console.log('\n| view | kB sent, first load | kB more after the first view |\n|---|---|---|');
  for (const { path } of VIEWS.filter(({ act, who }) => act === undefined && who === undefined)) {
    const alone = await phone();
    const first = await sentBytes(alone.page, () => openPath(alone.page, service.url, path));
    await alone.context.close();
    const after = await phone();
    await openPath(after.page, service.url, path.startsWith('/console') ? '/console' : '/');
    const more = await sentBytes(after.page, () => openPath(after.page, service.url, path));
    await after.context.close();
    console.log(`| ${path} | ${(first / 1_000).toFixed(1)} | ${(more / 1_000).toFixed(1)} |`);
  }
}

/** Scripts, styles and documents that were loaded over the network during an action. */
async function sentBytes(page: Page, act: () => Promise<void>): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  const kinds = new Map<string, string>();
  let bytes = 0;
  client.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (!response.fromDiskCache && !response.fromServiceWorker) kinds.set(requestId, type);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (/Script|Stylesheet|Document/.test(kinds.get(requestId) ?? '')) bytes += encodedDataLength;
  });
  await act();
  await client.detach();
  return bytes;
}

async function measurePhone(): Promise<void> {
  const ready: number[] = [];
  const painted: number[] = [];
  const found: number[] = [];
  const answered: number[] = [];
  for (let run = 0; run < runs; run++) {
    const { page, context } = await phone();
    const client = await context.newCDPSession(page);
    await client.send('Network.enable');
    await client.send('Network.emulateNetworkConditions', NETWORK);
    await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const start = performance.now();
    await page.goto(service.url, { waitUntil: 'commit' });
    const add = page.getByRole('button', { name: 'Add to breakfast', exact: true });
    await add.click();
    ready.push(performance.now() - start);
    painted.push(
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]!.startTime),
    );
    // Measures how long the page takes for an answer, without the phone's network.
    await client.send('Network.emulateNetworkConditions', {
      ...NETWORK,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    const field = page.getByRole('combobox', { name: 'Search foods, barcode or text' });
    await field.waitFor();
    const answer = page.waitForResponse((response) => response.url().includes('/foods/search'));
    const typed = performance.now();
    await field.fill(QUERY);
    await answer;
    answered.push(performance.now() - typed);
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    found.push(performance.now() - typed);
    await context.close();
  }
  console.log(`\n| on the phone, median of ${runs} | ms |\n|---|---|`);
  console.log(`| first paint | ${median(painted)} |`);
  console.log(`| "Add to breakfast" has opened its dialog | ${median(ready)} |`);
  console.log(`| "${QUERY}" typed to the service's answer, the network not slowed | ${median(answered)} |`);
  console.log(`| to the foods on the screen | ${median(found)} |`);
  console.log(`\nload average ${loadavg()[0]!.toFixed(1)}`);
}

async function phone(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    viewport: SIZES.phone,
    locale: 'en-US',
    extraHTTPHeaders: visitHeaders(),
  });
  await service.signIn(context);
  return { context, page: await context.newPage() };
}

/** Rates the page as a signed-out visitor sees it, then each view as an owner does, in a browser that stays open. */
async function runLighthouse(folder: string): Promise<void> {
  console.log(`\n| Lighthouse | ${CATEGORIES.join(' | ')} | ${AUDITS.join(' | ')} |`);
  console.log(`|${'---|'.repeat(1 + CATEGORIES.length + AUDITS.length)}`);
  await rate(folder, 'signed out', '/', ['--chrome-flags=--headless --no-sandbox']);
  const owner = await chromium.launchPersistentContext('', {
    executablePath: values.chromium,
    args: ['--no-sandbox', `--remote-debugging-port=${LIGHTHOUSE_PORT}`],
  });
  await service.signIn(owner);
  // A visit notes the session in the storage of the browser, without which the page does not ask for it.
  await openPath(await owner.newPage(), service.url, '/');
  for (const { name, path } of VIEWS.filter(({ act, who }) => act === undefined && who === undefined))
    await rate(folder, name, path, [`--port=${LIGHTHOUSE_PORT}`, '--disable-storage-reset']);
  await owner.close();
}

interface Audited {
  readonly score: number | null;
  readonly displayValue: string;
}

/** Prints the scores of a view, of 100, the times of its load, and the audits that it fails. */
async function rate(folder: string, name: string, path: string, words: readonly string[]): Promise<void> {
  const report = join(folder, 'report.json');
  const program = join(folder, 'node_modules/lighthouse/cli/index.js');
  const all = [program, service.url + path, '--output=json', `--output-path=${report}`, '--quiet', ...words];
  const env = { ...process.env, CHROME_PATH: values.chromium };
  // Not synchronously: the browser that stays open waits for this process with each new tab.
  await promisify(execFile)(process.execPath, all, { env });
  const { categories, audits } = JSON.parse(readFileSync(report, 'utf8')) as {
    categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
    audits: Record<string, Audited>;
  };
  const scores = CATEGORIES.map((category) => Math.round(categories[category]!.score * 100));
  const failed = CATEGORIES.slice(1).flatMap((category) =>
    categories[category]!.auditRefs.filter(({ id, weight }) => weight > 0 && audits[id]!.score === 0),
  );
  const times = AUDITS.map((audit) => audits[audit]!.displayValue);
  console.log(`| ${[name, ...scores, ...times].join(' | ')} | ${failed.map(({ id }) => id).join(', ')}`);
}

function median(numbers: readonly number[]): string {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!.toFixed(0);
}
