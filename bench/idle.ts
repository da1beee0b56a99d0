/**
 * Measures memory and processor time of an idle service, after a start and after work.
 *
 *     npm run bench -- idle [--root OTHER_CHECKOUT]… [--threads auto,1] [--seconds 60] [--setting NAME=VALUE]…
 *
 * Other checkouts are measured in alternation with this one, each as whole processes. Settings apply to this
 * checkout only; with LARDER_SCAN_IDLE_MINUTES=1 the last figure is measured after the recognizers were
 * released.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { processFigures, pssBytes } from '../test/support/process-figures.ts';
import { Random } from './support/search-random.ts';
import { openSoakService } from './support/soak-service.ts';
import { Traffic } from './support/soak-traffic.ts';

const MIB = 1024 * 1024;
/** Wait until garbage of the start, or of the work, is collected. */
const REST_MS = 45_000;
const WORK_MS = 60_000;
/** Clock ticks a second in Linux's /proc. */
const TICKS_A_SECOND = 100;

const { values } = parseArgs({
  options: {
    root: { type: 'string', multiple: true, default: [] },
    threads: { type: 'string', default: 'auto,1' },
    seconds: { type: 'string', default: '60' },
    setting: { type: 'string', multiple: true, default: [] },
  },
});
const idleMs = Number(values.seconds) * 1_000;
const own = Object.fromEntries(values.setting.map((each) => each.split('=') as [string, string]));

console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}; MiB`);
console.log(
  `\n| LARDER_THREADS, checkout | idle: RSS (of this, files) | % of a core | after ${WORK_MS / 1_000} s of work: RSS, PSS with analysis | ${REST_MS / 1_000} s later: the same | idle again, % of a core | at the end: the same | load average |`,
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const threads of values.threads.split(',')) {
  for (const root of values.root) await measure(root, { LARDER_THREADS: threads });
  await measure(join(import.meta.dirname, '..'), { LARDER_THREADS: threads, ...own });
}

async function measure(root: string, settings: Readonly<Record<string, string>>): Promise<void> {
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
  const name = `${settings['LARDER_THREADS']}, ${basename(root)}`;
  const cells = [name, started, idle, worked, rested, idleAgain, memoryOf(pid)];
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
    // Includes children that have ended.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  };
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + ofOne(each), 0);
}

/** RSS of the service, and PSS of it and its children: memory that several of them share counts once. */
function memoryOf(pid: number): string {
  const pss = [pid, ...childrenOf(pid)].reduce((sum, each) => sum + pssBytes(each), 0);
  return `${mib(processFigures(pid).rssBytes)}, ${mib(pss)}`;
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}
