/**
 * Do photos wait as long as the queueing model of docs/scale.md says? Photos of 12 megapixels with a clear barcode arrive
 * at random (Poisson) at one analysis thread; times are compared with the formula for exponential times (M/M/1), and with
 * a simulation in which each photo takes one of the times that were measured in this very run.
 *
 *     npm run bench -- scan-queue [--photos 300] [--busy 0.5,0.8]
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { exponential, mmc, quantile, simulate } from './support/queueing.ts';
import { createScan, takePhoto, uploadImage } from './support/scan-client.ts';
import { openScanFolder } from './support/scan-service.ts';
import { Random } from './support/search-random.ts';

const { values } = parseArgs({
  options: { photos: { type: 'string', default: '300' }, busy: { type: 'string', default: '0.5,0.8' } },
});
const PHOTOS = Number(values.photos);
const WARM_UP_PHOTOS = 30;
const SIMULATED_S = 200_000;
const QUANTILES = [0.5, 0.95];
const generator = new Random({ seed: 1 });
const random = () => generator.next();
const photo = await takePhoto();

using folder = await openScanFolder();
const settled = new Map<string, PromiseWithResolvers<number>>();
const settlingOf = (scan: string) => {
  const known = settled.get(scan) ?? Promise.withResolvers();
  settled.set(scan, known);
  return known;
};
const service = await folder.start({ LARDER_LOG_LEVEL: 'info', LARDER_SCAN_WORKERS: '1' }, (line) => {
  if (line.msg !== 'a scan is settled') return;
  if (line.outcome !== 'completed') throw new Error(`a scan ended with ${line.outcome}`);
  settlingOf(line.scan!).resolve(performance.now());
});
const alone: number[] = [];
for (let index = 0; index < WARM_UP_PHOTOS; index++) alone.push(await scan(await create()));
const times = alone.slice(WARM_UP_PHOTOS / 3);
const serviceS = mean(times) / 1000;
console.log(`one thread, ${(serviceS * 1000).toFixed(0)} ms a photo, one after the other`);
for (const busy of values.busy.split(',').map(Number)) await arrive(busy / serviceS);
await service.stop();

async function arrive(uploadEvents: number): Promise<void> {
  const created: Awaited<ReturnType<typeof create>>[] = [];
  for (let index = 0; index < PHOTOS; index++) created.push(await create());
  const scans: ReturnType<typeof scan>[] = [];
  const beganMs = performance.now();
  let dueMs = beganMs;
  for (const one of created) {
    dueMs += (1000 * exponential(random)) / uploadEvents;
    await pause(Math.max(0, dueMs - performance.now()));
    scans.push(scan(one));
  }
  const done = await Promise.all(scans);
  const rate = PHOTOS / ((dueMs - beganMs) / 1000);
  const formula = mmc(rate, serviceS, 1);
  const drawServiceS = () => times[generator.below(times.length)]! / 1000;
  const model = simulate({ uploadEvents: rate, servers: 1, seconds: SIMULATED_S, drawServiceS, random });
  const totals = Float64Array.from(done, (totalMs) => totalMs / 1000).sort();
  console.log(
    `${rate.toFixed(1)} photos/s, busy ${(100 * formula.utilization).toFixed(0)} %: from the upload to the end p50, p95 ` +
      `measured ${atQuantiles(totals)}; simulated ${atQuantiles(model.totalsS)}; ` +
      `p95 of waiting alone by formula ${ms(formula.p95WaitS)}`,
  );
}

async function create() {
  return createScan(service.url, folder.key);
}

/** Sends the photo and returns the ms until it was settled. */
async function scan({ jobId, uploadUrl }: { jobId: string; uploadUrl: string }) {
  await uploadImage(uploadUrl, photo);
  const sentMs = performance.now();
  return Math.max(0, (await settlingOf(jobId).promise) - sentMs);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

function ms(seconds: number): string {
  return `${(1000 * seconds).toFixed(0)} ms`;
}

function atQuantiles(sorted: Float64Array): string {
  return QUANTILES.map((share) => ms(quantile(sorted, share))).join(', ');
}
