/**
 * Measures whether memory, open files, threads and response times stay flat under an hour of mixed traffic.
 * Prints the slope of each.
 *
 *     npm run bench -- soak [--minutes 60] [--seed 1]
 */
import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { quantile } from '../test/abuse/victim/samples.ts';
import { processFigures } from '../test/support/process-figures.ts';
import { type LinearFit, linearFit } from './support/linear-fit.ts';
import { Random } from './support/search-random.ts';
import { openProbedService } from './support/soak-service.ts';
import { KINDS, type Kind, Traffic } from './support/soak-traffic.ts';

const MINUTE_MS = 60_000;
/** One figure for each window: the minimum for memory. */
const WINDOW_MS = 30_000;
const LOOK_EVERY_MS = 1_000;
/**
 * Warm-up until caches are full and code is compiled: this share of the time, up to the maximum. Traffic is
 * higher meanwhile.
 */
const WARM_UP_SHARE = 0.2;
const MAX_WARM_UP_MS = 10 * MINUTE_MS;
const MIB = 1024 * 1024;
/** These responses wait for no other service, so their times describe this one. */
const TIMED: readonly Kind[] = ['search', 'barcode', 'diary write', 'diary read', 'scan'];

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const durationMs = Number(values.minutes) * MINUTE_MS;
const warmUpMs = Math.min(durationMs * WARM_UP_SHARE, MAX_WARM_UP_MS);

await using service = await openProbedService();
const answers = new Map<Kind, { count: number; failed: number; times: number[] }>(
  KINDS.map((kind) => [kind, { count: 0, failed: 0, times: [] }]),
);
const series = new Map<string, [hours: number, value: number][]>();
const traffic = new Traffic({
  ...service,
  random: new Random({ seed: Number(values.seed) }),
  onAnswer: (kind, ms, ok) => {
    const counted = answers.get(kind)!;
    counted.count++;
    if (!ok) counted.failed++;
    counted.times.push(ms);
  },
});

console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}`);
console.log(
  `${values.minutes} minutes, the first ${(warmUpMs / MINUTE_MS).toFixed(1)} of them not counted; load average ${loadavg()[0]!.toFixed(1)}`,
);
const startedAt = performance.now();
await traffic.start({ warmsUp: true });
const loads: number[] = [];
let isWarm = false;
while (performance.now() - startedAt < durationMs) await measureWindow();
await traffic.stop();
report();

async function measureWindow(): Promise<void> {
  const until = performance.now() + WINDOW_MS;
  const looked: Record<string, number>[] = [];
  for (const counted of answers.values()) counted.times = [];
  while (performance.now() < until) {
    await pause(LOOK_EVERY_MS);
    if (!isWarm && performance.now() - startedAt >= warmUpMs) {
      isWarm = true;
      traffic.endWarmUp();
    }
    const { rssBytes, rssOfFilesBytes, openFiles, threads } = processFigures(service.pid);
    looked.push({
      'RSS, MiB': rssBytes / MIB,
      '  of files, MiB': rssOfFilesBytes / MIB,
      'heap of all threads after collections, MiB': service.heapBytes() / MIB,
      'open files': openFiles,
      threads,
    });
  }
  loads.push(loadavg()[0]!);
  const atMs = performance.now() - startedAt;
  // The first window after the warm-up still contains garbage collections of it.
  if (atMs < warmUpMs + WINDOW_MS) return;
  for (const name of Object.keys(looked[0]!))
    note(name, atMs, Math.min(...looked.map((figures) => figures[name]!)));
  for (const kind of TIMED) note(`p99 of ${kind}, ms`, atMs, quantile(answers.get(kind)!.times, 0.99));
}

function note(name: string, atMs: number, value: number): void {
  const points = series.get(name) ?? [];
  series.set(name, points);
  points.push([atMs / (60 * MINUTE_MS), value]);
}

function report(): void {
  console.log('\n| figure | first window | last window | mean | slope an hour, 95 % confidence | |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const [name, points] of series) {
    const fit = linearFit(points);
    const [first, last] = [points[0]![1], points.at(-1)![1]];
    const slope = `${signed(fit.slope)} ± ${fit.slopeMargin.toFixed(1)}`;
    console.log(
      `| ${name} | ${first.toFixed(1)} | ${last.toFixed(1)} | ${fit.mean.toFixed(1)} | ${slope} | ${verdictOf(fit)} |`,
    );
  }
  const total = [...answers].map(
    ([kind, { count, failed }]) => `${count} ${kind}${failed > 0 ? ` (${failed} FAILED)` : ''}`,
  );
  const [least, most] = [Math.min(...loads), Math.max(...loads)].map((load) => load.toFixed(1));
  console.log(`\nRequests: ${total.join(', ')}. Load average ${least} to ${most}.`);
}

/** Whether the slope differs significantly from zero. */
function verdictOf({ slope, slopeMargin }: LinearFit): string {
  if (slope > slopeMargin) return 'grows';
  return slope < -slopeMargin ? 'shrinks' : 'none to be seen';
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`;
}
