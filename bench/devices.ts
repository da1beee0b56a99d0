/**
 * How long does a second device take to show what the first one wrote, and found foods to stand on the screen?
 *
 *     npm run bench -- devices [--runs 30] [--chromium /usr/bin/chromium]
 *
 * Both devices are pages in one Chromium beside the service, so that their clocks agree and the network costs nothing. "Painted" is
 * the end of the first frame after the change of the document.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { openPageService } from '../tools/page/page-service.ts';
import { addSampleData } from '../tools/page/sample-data.ts';
import { SIZES } from '../tools/page/visit.ts';
import { percentile } from './support/search-figures.ts';

/** As Lighthouse assumes a phone to be slower than a computer. */
const SLOWER = [1, 4];
const QUERIES = ['banana', 'rice', 'milk', 'bread', 'apple', 'cheese', 'egg', 'tomato', 'chicken', 'oil'];

/** Resolves with the time at which `isThere` held and was painted, in milliseconds since 1970. */
const PAINTED = `(isThere) => new Promise((resolve) => {
  const look = () => {
    if (!isThere()) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
      port2.postMessage('');
    });
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true, characterData: true });
  look();
})`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '30' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const runs = Number(values.runs);

console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}`);
await using service = await openPageService();
await addSampleData(service);
const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
console.log(`\n| ${runs} times, ms | median | p99 |\n|---|---|---|`);
await measureDevices();
for (const rate of SLOWER) await measureSearch(rate);
console.log(`\nload average ${loadavg()[0]!.toFixed(1)}`);
await browser.close();

/** From the tap that writes an entry on one device until its row is painted on the other. */
async function measureDevices(): Promise<void> {
  const [first, second] = [await open(SIZES.phone), await open(SIZES.desktop)];
  await first.page.evaluate(
    `addEventListener('click', ({ timeStamp }) => { window.tapped = performance.timeOrigin + timeStamp; }, true)`,
  );
  const rows = second.page.getByRole('region', { name: 'Snacks', exact: true }).getByRole('listitem');
  const taken: number[] = [];
  for (let run = 0; run < runs; run++) {
    const count = (await rows.count()) + 1;
    const shown = second.page.evaluate<number>(
      `(${PAINTED})(() => document.querySelectorAll('section[aria-label=Snacks] li').length === ${count})`,
    );
    await first.page.getByRole('button', { name: 'Add to snacks', exact: true }).click();
    const recent = first.page.getByRole('dialog').getByRole('region', { name: 'Recent', exact: true });
    await recent.getByRole('button').first().click();
    const tapped = await first.page.evaluate<number>('tapped');
    taken.push((await shown) - tapped);
    await first.page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
  print('a tap on one device, to its entry on the screen of the other', taken);
  await first.context.close();
  await second.context.close();
}

/** From the end of the answer of search until its first food is painted. */
async function measureSearch(rate: number): Promise<void> {
  const { page, context } = await open(SIZES.phone);
  const client = await context.newCDPSession(page);
  await page.getByRole('button', { name: 'Add to snacks', exact: true }).click();
  const field = page.getByRole('combobox', { name: 'Search foods, barcode or text' });
  await field.waitFor();
  await client.send('Emulation.setCPUThrottlingRate', { rate });
  const taken: number[] = [];
  for (let run = 0; run < runs; run++) {
    await field.fill('');
    await page.getByRole('dialog').getByRole('option').first().waitFor({ state: 'detached' });
    const painted = page.evaluate<number>(
      `(${PAINTED})(() => document.querySelector('[role=option]') !== null)`,
    );
    await field.fill(QUERIES[run % QUERIES.length]!);
    const at = await painted;
    const answered = await page.evaluate<number>(
      `performance.timeOrigin + performance.getEntriesByType('resource')
        .findLast(({ name }) => name.includes('/foods/search')).responseEnd`,
    );
    taken.push(at - answered);
    await page.evaluate('performance.clearResourceTimings()');
  }
  const of = rate === 1 ? '' : `, a processor ${rate} times slower`;
  print(`the answer of search, to its foods on the screen${of}`, taken);
  await context.close();
}

async function open(viewport: { width: number; height: number }): Promise<{
  context: BrowserContext;
  page: Page;
}> {
  const context = await browser.newContext({ viewport, locale: 'en-US' });
  await service.signIn(context);
  const page = await context.newPage();
  await page.goto(service.url);
  await page.getByRole('region', { name: 'Snacks', exact: true }).waitFor();
  return { context, page };
}

function print(what: string, taken: readonly number[]): void {
  const sorted = Float64Array.from(taken).sort();
  console.log(`| ${what} | ${percentile(sorted, 0.5).toFixed(0)} | ${percentile(sorted, 0.99).toFixed(0)} |`);
}
