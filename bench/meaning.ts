/**
 * Measures what proposals by meaning cost a search, in time and memory.
 *
 *     npm run bench -- meaning [--known 245000] [--repeat 3]
 *
 * Searches for aliases of survey foods and for known products, among products and the USDA foods, alternating
 * with `LARDER_MEANING` on and off. Counts only searches that use meaning; `--repeat` takes the fastest of
 * that many runs of each.
 */
import { parseArgs } from 'node:util';
import { LarderEngine } from './support/search-engine-larder.ts';
import { megabytes, timingOf, toText } from './support/search-figures.ts';
import { inStaticOrder, readDistractors, readFoods, readJudgments } from './support/search-judgments.ts';
import { makeQueries } from './support/search-queries.ts';
import { hasRealData } from './support/search-real-data.ts';

const LIMIT = 20;
const WARM_UP = 300;

const { values: options } = parseArgs({
  options: { known: { type: 'string', default: '245000' }, repeat: { type: 'string', default: '3' } },
});

if (!hasRealData()) {
  console.log('meaning: skipped, since the real data (../shared/data) is not there');
  process.exit(0);
}
const judgments = readJudgments();
const all = inStaticOrder([...readFoods(judgments), ...readDistractors(Number(options.known))]);
const items = {
  count: all.length,
  at: (position: number) => all[position]!,
  names: all.map(({ name }) => name),
};
const engines = [new LarderEngine({ meaning: false }), new LarderEngine()] as const;
for (const engine of engines) engine.build(items);
const [words, meaning] = engines;
console.log(`${all.length} foods; vectors ${megabytes(meaning.meaningBytes())}`);
measure(
  'aliases',
  judgments.map(({ query }) => query),
);
measure(
  'known items',
  makeQueries(items, 100).map(({ text }) => text),
);

function measure(title: string, queries: readonly string[]): void {
  for (const query of queries.slice(0, WARM_UP)) for (const engine of engines) engine.search(query, LIMIT);
  const asking = queries.filter((query) => meaning.asksForMeaning(query, LIMIT));
  const times = asking.map((query) => {
    let [without, added] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let run = 0; run < Number(options.repeat); run++) {
      const wordsOnly = milliseconds(() => words.search(query, LIMIT));
      without = Math.min(without, wordsOnly);
      added = Math.min(
        added,
        milliseconds(() => meaning.proposals(query)),
      );
    }
    return { without, added };
  });
  const share = ((100 * asking.length) / queries.length).toFixed(0);
  console.log(`\n${title}: ${asking.length} of ${queries.length} searches ask for meaning (${share} %)`);
  console.log(`${'p50 p95 p99 max ms'.padEnd(26)}`);
  console.log(`${'words alone'.padEnd(26)}${toText(timingOf(times.map(({ without }) => without)))}`);
  console.log(`${'added'.padEnd(26)}${toText(timingOf(times.map(({ added }) => added)))}`);
}

function milliseconds(run: () => unknown): number {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}
