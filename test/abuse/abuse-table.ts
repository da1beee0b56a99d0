import { breachesOf, failuresOf, type Measured, mib, ms } from './measured.ts';
import { slowest } from './victim/samples.ts';

const HEADINGS = [
  'attack',
  'sent',
  'answers to it',
  'search p99: idle, attacked',
  'diary p99: idle, attacked',
  'failures of others',
  'memory: before, most, after',
  'machine before: busy, stolen',
  'verdict',
];

/** The cost of each attack to others, one line for each. */
export function abuseTable(all: readonly Measured[]): string {
  const headings = [HEADINGS, HEADINGS.map(() => '---')].map(toLine);
  return [...headings, ...all.map(abuseRow)].map((line) => `${line}\n`).join('');
}

export function abuseRow(measured: Measured): string {
  return toLine(toCells(measured));
}

function toLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function toCells(measured: Measured): string[] {
  const { attack, report, idle, attempts, before, peakRssBytes, after, machine } = measured;
  const breaches = breachesOf(measured);
  return [
    attack.name,
    report.sent,
    report.counts.map(([status, count]) => `${count} × ${status}`).join(', ') || 'none',
    ...(['search', 'diary'] as const).map((group) =>
      [idle, ...attempts].map((samples) => ms(slowest(samples)[group])).join(', '),
    ),
    failuresOf(measured).join(', ') || 'none',
    [before.rssBytes, peakRssBytes, after.rssBytes].map(mib).join(', '),
    [machine.busy, machine.stolen].map((share) => `${Math.round(100 * share)} %`).join(', '),
    breaches.length === 0 ? 'held' : `**breach**: ${breaches.join('; ')}`,
  ].map((cell) => cell.replaceAll('|', '/').replaceAll('\n', ' '));
}
