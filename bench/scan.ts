/**
 * Measures how long a photo takes, and whether a full queue slows down searches.
 *
 *     npm run bench -- scan [--part latency|label|drain] [--photos 200] [--rounds 40]
 *
 * Goals, with photos of 12 megapixels that show a clear barcode: 250 ms at p50 from the beginning of the
 * upload to the `completed` event, 2.5 s for photos of nutrition labels; a queue of 200 drained at 8/s while
 * the p99 of searches stays within twice its idle value.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EventReader } from '../test/support/event-reader.ts';
import { LABEL_LAYOUTS } from '../test/support/labels/label-layouts.ts';
import { labelSvg } from '../test/support/labels/label-svg.ts';
import { photograph } from '../test/support/labels/photograph.ts';
import { drawFacts } from '../test/support/labels/printed-facts.ts';
import { useTestFonts } from '../test/support/labels/use-test-fonts.ts';
import { RawConnection } from './support/raw-http.ts';
import { createScan, HEIGHT_PX, takePhoto, uploadImage, WIDTH_PX } from './support/scan-client.ts';
import { openScanFolder } from './support/scan-service.ts';
import { timingOf, toText } from './support/search-figures.ts';
import { Random } from './support/search-random.ts';

const WARM_UP_ROUNDS = 5;
/** Pause between two searches of one connection, as of a person who types fast. */
const SEARCH_EVERY_MS = 5;
const SEARCHERS = 2;
const IDLE_MS = 20_000;
const QUERIES = [
  'banana',
  'chiken brest',
  'whole milk',
  'oat',
  'yogurt plain',
  'brocc',
  'rice brown',
  'olive oil',
];

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    photos: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '40' },
  },
});
const photo = await takePhoto();
console.log(`a photo of ${WIDTH_PX} x ${HEIGHT_PX} pixels, ${(photo.length / 1e6).toFixed(1)} MB`);
const parts = {
  latency: () => latency('barcode', async () => photo),
  label: async () => latency('label', takeLabelPhotos()),
  drain,
};
for (const [name, run] of Object.entries(parts)) {
  if (values.part === undefined || values.part === name) await run();
}

/** Labels of all layouts in turn, each with different facts. */
function takeLabelPhotos(): () => Promise<Uint8Array<ArrayBuffer>> {
  useTestFonts();
  const random = new Random({ seed: 7 });
  const draw = () => random.below(1_000_000) / 1_000_000;
  let taken = 0;
  return async () => {
    const layout = LABEL_LAYOUTS[taken++ % LABEL_LAYOUTS.length]!;
    const svg = labelSvg(layout.draw(drawFacts(draw, layout.step)), layout.colours);
    return new Uint8Array(await photograph(svg, layout.shot, draw));
  };
}

async function latency(name: string, take: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
  using folder = await openScanFolder();
  const service = await folder.start({ LARDER_LOG_LEVEL: 'info' });
  const [whole, uploaded]: [number[], number[]] = [[], []];
  for (let round = -WARM_UP_ROUNDS; round < Number(values.rounds); round++) {
    const taken = await take();
    const { jobId, uploadUrl } = await createScan(service.url, folder.key);
    const reader = await EventReader.open(`${service.url}/v1/scan/image/${jobId}/stream`, {
      authorization: `Bearer ${folder.key}`,
    });
    const beganAt = performance.now();
    let uploadedAt = 0;
    const sending = uploadImage(uploadUrl, taken).then(() => {
      uploadedAt = performance.now();
    });
    let event = await reader.next();
    while (event !== undefined && event.data.status !== 'completed' && event.data.status !== 'failed') {
      event = await reader.next();
    }
    const endedAt = performance.now();
    await sending;
    if (event?.data.status !== 'completed') throw new Error(JSON.stringify(event));
    if (round < 0) continue;
    whole.push(endedAt - beganAt);
    uploaded.push(uploadedAt - beganAt);
  }
  await service.stop();
  console.log(`\n${' '.repeat(34)}      p50      p95      p99      max`);
  console.log(`${name}:`);
  console.log(`begin of upload to completed, ms  ${toText(timingOf(whole))}`);
  console.log(`of which the upload, ms           ${toText(timingOf(uploaded))}`);
}

async function drain(): Promise<void> {
  const photos = Number(values.photos);
  using folder = await openScanFolder();
  const filling = await folder.start({ LARDER_SCAN_WORKERS: '0', LARDER_LOG_LEVEL: 'info' });
  for (let index = 0; index < photos; index++)
    await uploadImage((await createScan(filling.url, folder.key)).uploadUrl, photo);
  await filling.stop();

  const settledAt: number[] = [];
  const work: number[] = [];
  const all = Promise.withResolvers<void>();
  const service = await folder.start({ LARDER_LOG_LEVEL: 'info' }, ({ msg, outcome, ms }) => {
    if (msg !== 'a scan is settled') return;
    if (outcome !== 'completed') throw new Error(`a scan ended with ${outcome}`);
    settledAt.push(performance.now());
    work.push(ms!);
    if (settledAt.length === photos) all.resolve();
  });
  const busy = await searchUntil(service.url, folder.key, all.promise);
  const idle = await searchUntil(service.url, folder.key, pause(IDLE_MS));
  await service.stop();

  const seconds = (settledAt.at(-1)! - settledAt[0]!) / 1000;
  console.log(`\n${photos} photos drained at ${((photos - 1) / seconds).toFixed(1)}/s`);
  console.log(`${' '.repeat(34)}      p50      p95      p99      max`);
  console.log(`a job from taking to settling, ms ${toText(timingOf(work))}`);
  console.log(`search while it drains, ms        ${toText(timingOf(busy))}   (${busy.length})`);
  console.log(`search when idle, ms              ${toText(timingOf(idle))}   (${idle.length})`);
}

/** How long each search took, in ms. */
async function searchUntil(url: string, key: string, end: Promise<void>): Promise<number[]> {
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  const took: number[] = [];
  const searcher = async (number: number) => {
    const connection = await RawConnection.open(url);
    for (let at = number; !isOver; at++) {
      const path = `/v1/foods/search?q=${encodeURIComponent(QUERIES[at % QUERIES.length]!)}&limit=${5 + (at % 20)}`;
      const beganAt = performance.now();
      const { status } = await connection.send('GET', path, `authorization: Bearer ${key}\r\n`);
      took.push(performance.now() - beganAt);
      if (status !== 200) throw new Error(`a search was answered with ${status}`);
      await pause(SEARCH_EVERY_MS);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: SEARCHERS }, (_, number) => searcher(number)));
  return took;
}
