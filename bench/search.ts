/**
 * Compares the speed and error tolerance of search with alternatives.
 *
 *     npm run bench -- search [--foods 3900000] [--queries 150] [--against fts5,postgres]
 *     [--misses 3] lists queries of each kind whose right answer was not first
 *     [--repeat 3] takes the fastest of that many runs, for machines that others use too
 */
import { parseArgs } from 'node:util';
import type { SearchEngine } from './support/search-engine.ts';
import { LarderEngine } from './support/search-engine-larder.ts';
import { chosenEngines } from './support/search-engines.ts';
import { megabytes, timingOf, toText } from './support/search-figures.ts';
import { SearchItems } from './support/search-items.ts';
import { adversarialQueries, type BenchQuery, fits, makeQueries } from './support/search-queries.ts';
import { hasRealData } from './support/search-real-data.ts';

const LIMIT = 20;

const { values: options } = parseArgs({
  options: {
    foods: { type: 'string', default: '3900000' },
    queries: { type: 'string', default: '150' },
    against: { type: 'string', default: '' },
    misses: { type: 'string', default: '0' },
    repeat: { type: 'string', default: '1' },
  },
});

const items = new SearchItems({ count: Number(options.foods) });
const queries = makeQueries(items, Number(options.queries));
const adversarial = adversarialQueries(items);
console.log(
  `${items.count} foods of ${hasRealData() ? 'real' : 'invented'} names, ${queries.length} queries`,
);

for (const engine of chosenEngines(options.against)) await measure(engine);

async function measure(engine: SearchEngine): Promise<void> {
  const startedAt = performance.now();
  await engine.build(items);
  const buildSeconds = (performance.now() - startedAt) / 1000;
  globalThis.gc?.();
  console.log(
    `\n== ${engine.name}: built in ${buildSeconds.toFixed(1)} s, ${megabytes(await engine.sizeBytes())}, ` +
      `process ${megabytes(process.memoryUsage().rss)}`,
  );
  const warmingSince = performance.now();
  await warmUp(engine);
  const warmedUp = `warmed up in ${(performance.now() - warmingSince).toFixed(0)} ms`;
  console.log(
    engine instanceof LarderEngine ? `opened in ${engine.openMs().toFixed(0)} ms, ${warmedUp}` : warmedUp,
  );
  console.log(`${'kind'.padEnd(26)}      p50      p95      p99      max ms  ok@1  ok@10`);
  const all: Outcome[] = [];
  for (const [kind, ofKind] of Map.groupBy(queries, (query) => query.kind)) {
    const outcomes = await runAll(engine, ofKind);
    all.push(...outcomes);
    report(kind, outcomes);
  }
  report('all', all);
  const slow: number[] = [];
  let slowest = '';
  // Other engines take seconds for such queries, so they get fewer.
  const expensive =
    engine instanceof LarderEngine ? adversarial : adversarial.filter((_, at) => at % 20 === 0);
  for (const text of expensive) {
    const { milliseconds } = await timed(engine, text);
    if (milliseconds > Math.max(0, ...slow)) slowest = text;
    slow.push(milliseconds);
  }
  console.log(`${'adversarial'.padEnd(26)}${toText(timingOf(slow))}   slowest: ${slowest.slice(0, 80)}`);
  await engine.close();
}

interface Outcome {
  readonly milliseconds: number;
  readonly isFirst: boolean;
  readonly isInTen: boolean;
}

async function runAll(engine: SearchEngine, ofKind: readonly BenchQuery[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let misses = Number(options.misses);
  for (const query of ofKind) {
    const { milliseconds, found } = await timed(engine, query.text);
    const rank = found.slice(0, 10).findIndex((position) => fits(query, items.at(position)));
    outcomes.push({ milliseconds, isFirst: rank === 0, isInTen: rank >= 0 });
    if (rank !== 0 && misses-- > 0) {
      const first = found[0] === undefined ? '-' : items.at(found[0]).name;
      console.log(`   rank ${rank}: "${query.text}" meant ${query.words.join('+')} first: ${first}`);
    }
  }
  return outcomes;
}

async function timed(engine: SearchEngine, text: string) {
  let milliseconds = Number.POSITIVE_INFINITY;
  let found: readonly number[] = [];
  for (let run = 0; run < Number(options.repeat); run++) {
    const startedAt = performance.now();
    const answer = engine.search(text, LIMIT);
    found = answer instanceof Promise ? await answer : answer;
    milliseconds = Math.min(milliseconds, performance.now() - startedAt);
  }
  return { milliseconds, found };
}

async function warmUp(engine: SearchEngine): Promise<void> {
  const perKind = engine instanceof LarderEngine ? 40 : 3;
  for (const query of makeQueries(items, perKind, 1)) await engine.search(query.text, LIMIT);
}

function report(kind: string, outcomes: readonly Outcome[]): void {
  const share = (test: (outcome: Outcome) => boolean) =>
    (outcomes.filter(test).length / outcomes.length).toFixed(3).padStart(6);
  console.log(
    `${kind.padEnd(26)}${toText(timingOf(outcomes.map((outcome) => outcome.milliseconds)))}   ` +
      `${share((outcome) => outcome.isFirst)} ${share((outcome) => outcome.isInTen)}`,
  );
}
