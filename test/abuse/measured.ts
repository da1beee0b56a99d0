import type { ProcessFigures } from '../support/process-figures.ts';
import type { Attack } from './attack.ts';
import type { AttackReport } from './attacker/run-attacker.ts';
import type { MachineLoad } from './machine-load.ts';
import { type Sample, slowest } from './victim/samples.ts';
import type { Verified } from './victim/victim.ts';

/** All that was seen of one attack. Latencies are 99th percentiles in milliseconds. */
export interface Measured {
  readonly attack: Pick<Attack, 'name' | 'allows'>;
  readonly report: AttackReport;
  /** Samples of the victim right before the attack. */
  readonly idle: readonly Sample[];
  /** Meanwhile; where it was too slow, the attack was repeated. */
  readonly attempts: readonly (readonly Sample[])[];
  /** Before each repetition, beside a process that only uses as much processor time as the attacker. */
  readonly control: readonly Sample[];
  readonly before: ProcessFigures;
  readonly peakRssBytes: number;
  readonly after: ProcessFigures;
  readonly verified: Verified;
  /** Lines of the service's log that tell of a defect. */
  readonly defects: readonly string[];
  readonly hasEnded: boolean;
  /** Right before the attack, while only the victim asked. */
  readonly machine: MachineLoad;
}

/** Maximum wait for another's attack; three times the idle 99th percentile is allowed, too. */
export const ALLOWED_MS = 50;
const ALLOWED_FACTOR = 3;
/** Memory that a pause after the attack has to give back: an allocator keeps some. */
const ALLOWED_RSS_FACTOR = 1.3;
const ALLOWED_RSS_BYTES = 64 * 1024 * 1024;
/** The victim keeps connections that it opened while it had to wait. */
const ALLOWED_OPEN_FILES = 250;
/** The victim alone uses less than half of this. */
const BUSY_SHARE = 0.7;
const MAX_SHOWN = 3;

export function allowedRssBytes({ rssBytes }: ProcessFigures): number {
  return rssBytes * ALLOWED_RSS_FACTOR + ALLOWED_RSS_BYTES;
}

export function allowedOpenFiles({ openFiles }: ProcessFigures): number {
  return openFiles + ALLOWED_OPEN_FILES;
}

/** Promises that an attack broke, in words; nothing where all were kept. */
export function breachesOf(measured: Measured): string[] {
  const { report, before, after, verified, defects, hasEnded } = measured;
  const answered500 = report.counts.find(([status]) => status === '500')?.[1] ?? 0;
  return [
    ...report.breaches,
    ...(hasEnded ? ['the service ended'] : []),
    ...(answered500 > 0 ? [`${answered500} times 500 for the attacker`] : []),
    ...shown(defects, 'in the log'),
    ...failuresOf(measured).map((failure) => `others got ${failure}`),
    ...slownessOf(measured).map((slowness) => `${slowness}${shareOfOthers(measured)}`),
    ...shown(verified.problems, 'of the diary'),
    ...(after.rssBytes > allowedRssBytes(before) ? [`memory stays at ${mib(after.rssBytes)}`] : []),
    ...(after.openFiles > allowedOpenFiles(before) ? [`${after.openFiles} open files stay`] : []),
  ];
}

/** What went wrong for the victim, and should not have. */
export function failuresOf({ attack, attempts }: Measured): string[] {
  const counts = new Map<string, number>();
  for (const { probe, status } of attempts.flat()) {
    if ((status >= 200 && status < 300) || attack.allows?.[probe]?.includes(status) === true) continue;
    const what = `${status === 0 ? 'no answer' : status} (${probe})`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => `${count} × ${what}`);
}

/** Other programs on the machine slow things down as well: an attack has to do so each time. */
export function isTooSlow({
  idle,
  attempts,
  control,
}: Pick<Measured, 'idle' | 'attempts' | 'control'>): boolean {
  return slownessOf({ idle, attempts, control }).length > 0;
}

function slownessOf({ idle, attempts, control }: Pick<Measured, 'idle' | 'attempts' | 'control'>): string[] {
  const runs = attempts.map(slowest);
  const [alone, beside] = [slowest(idle), slowest(control)];
  return (['search', 'diary'] as const).flatMap((group) => {
    const allowed = Math.max(ALLOWED_MS, ALLOWED_FACTOR * Math.max(alone[group], beside[group]));
    const isSlow = runs.every((run) => run[group] > allowed);
    return isSlow
      ? [`${group} took ${runs.map((run) => ms(run[group])).join(', ')}; allowed ${ms(allowed)}`]
      : [];
  });
}

/** Other programs may be the cause where they used the machine before the attack as well. */
function shareOfOthers({ machine: { busy } }: Measured): string {
  return busy < BUSY_SHARE ? '' : `, on a machine that others used to ${Math.round(100 * busy)} % before`;
}

function shown(lines: readonly string[], where: string): string[] {
  const more = lines.length - MAX_SHOWN;
  return [...lines.slice(0, MAX_SHOWN), ...(more > 0 ? [`${more} more ${where}`] : [])];
}

export function ms(value: number): string {
  return value < 1_000 ? `${Math.ceil(value)} ms` : `${(value / 1_000).toFixed(1)} s`;
}

export function mib(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
