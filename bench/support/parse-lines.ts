import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { LANGUAGE_CODES } from '@larder/text/language.ts';
import {
  amountMatches,
  type LabelledLine,
  labelledLines,
  nameScore,
  type ReadLine,
} from './parse-line-figures.ts';
import { lineReaders, readWithLarder } from './parse-line-readers.ts';

const SHARED = fileURLToPath(
  new URL('../../../shared/data/ingredients/ingredients.dev.tsv.gz', import.meta.url),
);
const OWN = new URL('../../test/support/ingredient-lines/', import.meta.url);
const WORST = 50;

interface Miss {
  readonly labelled: LabelledLine;
  readonly read: ReadLine;
  readonly amountClass: string | undefined;
  readonly nameF1: number;
}

/** Reads labelled lines with each reader and prints its figures, then our own misses by class. */
export async function measureLines(path: string | undefined): Promise<void> {
  const file = path ?? SHARED;
  const bytes = readFileSync(file);
  const lines = labelledLines((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
  console.log(`${lines.length} ingredient lines of ${file}`);
  console.log(
    'reader                          quantity+unit  strict  all amounts  name F1 micro  mean  exact   lines/s',
  );
  for (const { name, read } of await lineReaders()) {
    const { row, misses } = figures(lines, read);
    console.log(`${name.padEnd(32)}${row}`);
    if (name === 'larder') report(misses, 'parse-lines');
  }
  if (path !== undefined) return;
  console.log('fifty lines each of our own, in other languages');
  for (const code of LANGUAGE_CODES) {
    if (code === 'en') continue;
    const own = labelledLines(readFileSync(new URL(`${code}.tsv`, OWN), 'utf8'));
    const { row, misses } = figures(own, (line) => readWithLarder(line, code));
    console.log(`${code.padEnd(32)}${row}`);
    report(misses, `parse-lines-${code}`);
  }
}

function figures(lines: readonly LabelledLine[], read: (line: string) => ReadLine) {
  const started = performance.now();
  const readings = lines.map(({ line }) => read(line));
  const seconds = (performance.now() - started) / 1000;
  const sums = { lead: 0, strict: 0, all: 0, common: 0, ours: 0, theirs: 0, f1: 0, exact: 0 };
  const misses: Miss[] = [];
  for (const [at, labelled] of lines.entries()) {
    const reading = readings[at]!;
    const amount = amountMatches(labelled, reading);
    const name = nameScore(labelled.name, reading.name);
    sums.lead += Number(amount.lead);
    sums.strict += Number(amount.strict);
    sums.all += Number(amount.all);
    sums.common += name.common;
    sums.ours += name.read;
    sums.theirs += name.labelled;
    sums.f1 += name.f1;
    sums.exact += Number(name.f1 === 1);
    if (!amount.lead || name.f1 < 1) {
      misses.push({
        labelled,
        read: reading,
        amountClass: amount.lead ? undefined : amount.miss,
        nameF1: name.f1,
      });
    }
  }
  const percent = (count: number) => ((100 * count) / lines.length).toFixed(1);
  const micro = (2 * sums.common) / (sums.ours + sums.theirs);
  const row = [
    percent(sums.lead).padStart(13),
    percent(sums.strict).padStart(8),
    percent(sums.all).padStart(13),
    micro.toFixed(4).padStart(15),
    (sums.f1 / lines.length).toFixed(4).padStart(7),
    percent(sums.exact).padStart(6),
    Math.round(lines.length / seconds)
      .toString()
      .padStart(10),
  ].join('');
  return { row, misses };
}

function report(misses: readonly Miss[], name: string): void {
  const classes = Map.groupBy(misses, ({ amountClass, nameF1 }) =>
    amountClass === undefined
      ? nameF1 === 0
        ? 'name: nothing right'
        : 'name: other words'
      : `amount: ${amountClass}`,
  );
  const sorted = [...classes].sort((a, b) => b[1].length - a[1].length);
  for (const [miss, those] of sorted) console.log(`    ${those.length.toString().padStart(6)}  ${miss}`);
  const file = join(tmpdir(), `larder-${name}.txt`);
  const worst = sorted.flatMap(([miss, those]) => [
    `## ${miss}: ${those.length}`,
    ...[...those]
      .sort((a, b) => a.nameF1 - b.nameF1)
      .slice(0, WORST)
      .map(described),
  ]);
  writeFileSync(file, `${worst.join('\n')}\n`);
  console.log(`    the worst ${WORST} of each class: ${file}`);
}

function described({ labelled, read }: Miss): string {
  const amount = `${read.amount?.quantity ?? ''} ${read.amount?.unit ?? ''}`.trim();
  return `${labelled.line}\n      read     ${amount} | ${read.name}\n      labelled ${labelled.quantity} ${labelled.unit} | ${labelled.name}`;
}
