/**
 * What does a service take that nobody asks anything: memory and processor time after a start, and after work?
 *
 *     npm run bench -- idle [--root OTHER_CHECKOUT]… [--threads auto,1] [--seconds 60]
 *
 * Other checkouts are measured in turn with this one, each as whole processes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { processFigures } from '../test/support/process-figures.ts';
import { Random } from './support/search-random.ts';
import { openSoakService } from './support/soak-service.ts';
import { Traffic } from './support/soak-traffic.ts';

const MIB = 1024 * 1024;
/** Until garbage of the start, or of the work, is given back. */
const REST_MS = 45_000;
const WORK_MS = 60_000;
/** Of Linux: /proc counts processor time in these. */
const TICKS_A_SECOND = 100;

const { values } = parseArgs({
  options: {
    root: { type: 'string', multiple: true, default: [] },
    threads: { type: 'string', default: 'auto,1' },
    seconds: { type: 'string', default: '60' },
  },
});
const idleMs = Number(values.seconds) * 1_000;

console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}; RSS in MiB`);
console.log(
  `\n| LARDER_THREADS, checkout | idle: RSS (of this, files) | % of a core | after ${WORK_MS / 1_000} s of work: RSS, with analysis | ${REST_MS / 1_000} s later: RSS, with analysis | idle again, % of a core | load average |`,
);
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const threads of values.threads.split(',')) {
  for (const root of [...values.root, join(import.meta.dirname, '..')]) await measure(threads, root);
}

async function measure(threads: string, root: string): Promise<void> {
  const settings = { LARDER_THREADS: threads };
  await using service = await openSoakService({ root, settings });
  const { pid } = service;
  await pause(REST_MS);
  const idle = await processorShare(pid);
  const { rssBytes, rssOfFilesBytes } = processFigures(pid);
  const started = `${mib(rssBytes)} (${mib(rssOfFilesBytes)})`;

  let [asked, failed] = [0, 0];
  const traffic = new Traffic({
    ...service,
    random: new Random({ seed: 1 }),
    onAnswer(_kind, _ms, ok) {
      asked++;
      if (!ok) failed++;
    },
  });
  await traffic.start();
  await pause(WORK_MS);
  await traffic.stop();
  if (failed > 0) console.log(`${failed} of ${asked} requests FAILED`);
  const worked = memoryOf(pid);
  await pause(REST_MS);
  const rested = memoryOf(pid);
  const idleAgain = await processorShare(pid);
  const cells = [`${threads}, ${basename(root)}`, started, idle, worked, rested, idleAgain];
  console.log(`| ${cells.join(' | ')} | ${loadavg()[0]!.toFixed(1)} |`);
}

/** In percent of one core, its children included. */
async function processorShare(pid: number): Promise<string> {
  const before = ticksOf(pid);
  await pause(idleMs);
  return ((100 * (ticksOf(pid) - before)) / TICKS_A_SECOND / (idleMs / 1_000)).toFixed(2);
}

function ticksOf(pid: number): number {
  const ofOne = (each: number) => {
    const fields = readFileSync(`/proc/${each}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + ofOne(each), 0);
}

function memoryOf(pid: number): string {
  const own = processFigures(pid).rssBytes;
  const all = childrenOf(pid).reduce((sum, child) => sum + processFigures(child).rssBytes, own);
  return `${mib(own)}, ${mib(all)}`;
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}
