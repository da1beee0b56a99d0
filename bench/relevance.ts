/**
 * Measures whether search finds foods by the words that people use for them.
 *
 *     npm run bench -- relevance [--distractors 200000] [--against words,fts5,postgres] [--misses 20]
 *     npm run bench -- relevance --part noise [--misses 20]
 *
 * First, the shipped foods: how often an unacceptable food is among the first five results of everyday
 * queries in eight languages, whether an excluded food is never first, and whether search and text reading
 * choose the same food for a name.
 * Then known items: queries of fourteen kinds, made of real product names, are searched among these and the
 * USDA foods.
 * Then aliases that USDA recorded for its survey foods, removed from the index, are searched in the survey
 * and SR Legacy foods: alone, then among real product names.
 * Larder answers as for users, with proposals by meaning; `words` is without. Two thirds of the aliases were
 * used to train the word vectors, so the "held out" figures count.
 * A query with an amount should have the same first result as its other words. A name that begins with a
 * number should be among the first ten; it competes with the food that the number counts.
 */
import { parseArgs } from 'node:util';
import { tokenise } from '@larder/core/words/tokenise.ts';
import { AMOUNT_QUERIES } from '../test/support/amount-queries.ts';
import { searchShippedFoods } from './support/everyday-search.ts';
import type { ItemList, SearchEngine, SearchItem } from './support/search-engine.ts';
import { chosenEngines } from './support/search-engines.ts';
import {
  inStaticOrder,
  type JudgedFood,
  type Judgment,
  readDistractors,
  readFoods,
  readJudgments,
} from './support/search-judgments.ts';
import { fits, makeQueries } from './support/search-queries.ts';
import { Random } from './support/search-random.ts';
import { hasRealData } from './support/search-real-data.ts';

const LIMIT = 10;
const QUERIES_PER_KIND = 200;
const WORDS_OF_NAMES = [12, 3];

const { values: options } = parseArgs({
  options: {
    known: { type: 'string', default: '245000' },
    distractors: { type: 'string', default: '200000' },
    against: { type: 'string', default: '' },
    misses: { type: 'string', default: '0' },
    part: { type: 'string' },
  },
});

await searchShippedFoods(Number(options.misses));
if (options.part === 'noise') process.exit(0);
if (!hasRealData()) {
  console.log('relevance: skipped, since the real data (../shared/data) is not there');
  process.exit(0);
}
const judgments = readJudgments();
const foods = readFoods(judgments);
await findKnownItems(inStaticOrder([...foods, ...readDistractors(Number(options.known))]));
await compare('alone', foods);
await compare(
  `among ${options.distractors} products`,
  inStaticOrder([...foods, ...readDistractors(Number(options.distractors))]),
);

async function findKnownItems(all: readonly SearchItem[]): Promise<void> {
  console.log(`\nknown items among ${all.length} products and foods`);
  const items = {
    count: all.length,
    at: (position: number) => all[position]!,
    names: all.map(({ name }) => name),
  };
  const queries = makeQueries(items, QUERIES_PER_KIND);
  for (const engine of chosenEngines(options.against)) {
    await engine.build(items);
    for (const [kind, some] of [...Map.groupBy(queries, (query) => query.kind), ['all', queries] as const]) {
      let first = 0;
      let inTen = 0;
      for (const query of some) {
        const found = await engine.search(query.text, LIMIT);
        const rank = found.findIndex((position) => fits(query, all[position]!));
        if (rank === 0) first++;
        if (rank >= 0) inTen++;
      }
      const share = (value: number) => (value / some.length).toFixed(3);
      console.log(`${engine.name.padEnd(14)}${kind.padEnd(26)}ok@1 ${share(first)}  ok@10 ${share(inTen)}`);
    }
    await findAmounts(engine, all);
    await engine.close();
  }
}

async function findAmounts(engine: SearchEngine, all: readonly SearchItem[]): Promise<void> {
  let same = 0;
  for (const [query, words] of AMOUNT_QUERIES) {
    const [[first], [meant]] = [await engine.search(query, LIMIT), await engine.search(words, LIMIT)];
    if (first !== undefined && first === meant) same++;
  }
  const rate = (same / AMOUNT_QUERIES.length).toFixed(3);
  console.log(`${engine.name.padEnd(14)}${'amount and food'.padEnd(26)}ok@1 ${rate}`);
  const numbered = all.filter(({ name }) => /^\d+ ?\p{L}{3}/u.test(name));
  for (const most of WORDS_OF_NAMES) {
    const random = new Random({ seed: most });
    let [first, inTen] = [0, 0];
    for (let made = 0; made < QUERIES_PER_KIND; made++) {
      const { name } = random.pick(numbered);
      const words = tokenise(name, most);
      const query = { kind: '', text: words.join(' '), words, isUnfinished: false };
      const found = await engine.search(most > 3 ? name : query.text, LIMIT);
      const rank = found.findIndex((position) => fits(query, all[position]!));
      if (rank === 0) first++;
      if (rank >= 0) inTen++;
    }
    const kind = most > 3 ? 'number, whole name' : 'number and two words';
    const share = (value: number) => (value / QUERIES_PER_KIND).toFixed(3);
    console.log(`${engine.name.padEnd(14)}${kind.padEnd(26)}ok@1 ${share(first)}  ok@10 ${share(inTen)}`);
  }
}

async function compare(title: string, all: readonly JudgedFood[]): Promise<void> {
  console.log(`\n${title}: ${all.length} foods`);
  const items: ItemList = { count: all.length, at: (position) => all[position]! };
  for (const engine of chosenEngines(options.against)) {
    await engine.build(items);
    for (const [overlap, some] of Map.groupBy(judgments, (judgment) => judgment.overlap))
      await judge(engine, all, overlap, some);
    const worded = judgments.filter(({ overlap }) => overlap !== 'none');
    await judge(engine, all, 'partial+full', worded);
    const heldOut = worded.filter(({ isHeldOut }) => isHeldOut);
    await judge(engine, all, 'held out', heldOut);
    const heldOutNone = judgments.filter(({ isHeldOut, overlap }) => isHeldOut && overlap === 'none');
    await judge(engine, all, 'none held out', heldOutNone);
    await engine.close();
  }
}

async function judge(
  engine: SearchEngine,
  all: readonly JudgedFood[],
  overlap: string,
  some: readonly Judgment[],
) {
  let first = 0;
  let inTen = 0;
  let reciprocal = 0;
  let misses = engine.name === 'larder' ? Number(options.misses) : 0;
  for (const [index, { query, codes }] of some.entries()) {
    const found = await engine.search(query, LIMIT);
    const rank = found.findIndex((position) => codes.has(all[position]!.code ?? ''));
    if (rank === 0) first++;
    if (rank >= 0) {
      inTen++;
      reciprocal += 1 / (rank + 1);
    } else if (index % 7 === 0 && misses-- > 0) {
      console.log(
        `   "${query}" → ${found
          .slice(0, 3)
          .map((position) => all[position]!.name)
          .join(' | ')}`,
      );
    }
  }
  const share = (value: number) => (value / some.length).toFixed(3);
  console.log(
    `${engine.name.padEnd(14)}${overlap.padEnd(14)}${String(some.length).padStart(5)} queries  ` +
      `recall@1 ${share(first)}  recall@10 ${share(inTen)}  MRR ${share(reciprocal)}`,
  );
}
