/**
 * Calculates what 100 M foods and 50,000 requests a second would take, over how many nodes, and what fails
 * first.
 *
 *     npm run bench -- scale [--foods 100000000] [--rate 50000] [--processors 8]
 *
 * This is a calculation and a simulation from the figures of docs/benchmarks.md: nothing is measured here.
 * docs/scale.md has the results.
 */
import { parseArgs } from 'node:util';
import { exponential, logNormal, mmc, quantile, serversFor, simulate } from './support/queueing.ts';
import { Random } from './support/search-random.ts';

const { values } = parseArgs({
  options: {
    foods: { type: 'string', default: '100000000' },
    rate: { type: 'string', default: '50000' },
    processors: { type: 'string', default: '8' },
  },
});
const foods = Number(values.foods);
const rate = Number(values.rate);
const processors = Number(values.processors);
const generator = new Random({ seed: 1 });
const random = () => generator.next();

/** From docs/benchmarks.md; times are processor time of one thread. */
const MEASURED = {
  foods: 3.9e6,
  catalogueBytes: 743e6,
  loadS: 0.37,
  compileS: 27.9,
  cachedBarcodeS: 27.3e-6,
  barcodeS: 40.8e-6,
  cachedSearchS: 31.9e-6,
  /** Search rate of a cluster's node relative to that of a single process. */
  clusterRate: 0.92,
  /** In process; p50 and p99 at 3.9 M foods, p50 at 400,000 and 3.9 M in one other run. */
  searchP50S: 0.25e-3,
  searchP99S: 2.28e-3,
  searchP50AtTenthS: 0.13e-3,
  searchP50AtFullS: 0.31e-3,
  tenthFoods: 400_000,
  /** Node and PostgreSQL, Redis and the client on two processors: less than either could do alone. */
  listsPerS: 7_309,
  entriesPerS: 2_099,
  /** 32 concurrent checks took 166 us. */
  limitChecksPerS: 32 / 166e-6,
  photoS: 62e-3,
};

const ASSUMED = {
  mix: { search: 0.5, barcode: 0.25, list: 0.15, entry: 0.095, scan: 0.005 },
  /** Share of answers that a thread still has cached. */
  cachedShare: 0.5,
  /** Time that a node spends on one request to PostgreSQL: half of the measured time of both. */
  nodeShareOfDatabaseRequest: 0.5,
  /** Bandwidth of the object store to all nodes together, and to one. */
  storeBytesPerS: 1.25e9,
  nodeBytesPerS: 0.6e9,
  /** Writes of one user run in sequence, each with a sync to disk. */
  commitS: 2e-3,
  scanWaitS: 1,
};

const SIMULATED_S = 20;
/** Beyond these limits there are too few nodes. */
const MAX_BUSY = 0.6;
const MAX_P99_S = 0.05;

console.log(
  'Workers: M/M/c by formula, and a simulation of the same queue with the measured, nearly constant time\n',
);
const scans = rate * ASSUMED.mix.scan;
console.log(`scans/s ${scans}, ${MEASURED.photoS * 1e3} ms of a processor each`);
const least = serversFor(scans, MEASURED.photoS, ASSUMED.scanWaitS);
for (const servers of [...new Set([least, least + 1, least + 2, Math.ceil(least * 1.25)])]) {
  const formula = mmc(scans, MEASURED.photoS, servers);
  const same = { uploadEvents: scans, servers, seconds: 600, random };
  const random95 = quantile(
    simulate({ ...same, drawServiceS: () => MEASURED.photoS * exponential(random) }).waitsS,
    0.95,
  );
  const constant95 = quantile(simulate({ ...same, drawServiceS: () => MEASURED.photoS }).waitsS, 0.95);
  console.log(
    `${servers} threads: busy ${percent(formula.utilization)}, wait p95 ${ms(formula.p95WaitS)} by formula, ` +
      `${ms(random95)} simulated, ${ms(constant95)} with constant times`,
  );
}

const exponent =
  Math.log(MEASURED.searchP50AtFullS / MEASURED.searchP50AtTenthS) /
  Math.log(MEASURED.foods / MEASURED.tenthFoods);
const growth = (foods / MEASURED.foods) ** exponent;
const scale = foods / MEASURED.foods;
const catalogueBytes = MEASURED.catalogueBytes * scale;

console.log(`\nNodes of ${processors} processors, ${foods.toLocaleString('en')} foods`);
console.log(
  `a search costs ${growth.toFixed(2)} times that of 3.9 M foods (exponent ${exponent.toFixed(2)}, extrapolated)`,
);
for (let nodes = 1; ; nodes++) {
  const { totalsS, utilization } = simulate({
    uploadEvents: (rate * (1 - ASSUMED.mix.scan)) / nodes,
    servers: processors,
    seconds: SIMULATED_S,
    drawServiceS: drawRequest,
    random,
  });
  const p99 = quantile(totalsS, 0.99);
  const isEnough = utilization < MAX_BUSY && p99 < MAX_P99_S;
  const times = `p50 ${ms(quantile(totalsS, 0.5))}, p99 ${ms(p99)}${isEnough ? ', enough' : ''}`;
  console.log(
    `${nodes} nodes: busy ${percent(utilization)}, ${utilization < 1 ? times : 'the queue has no end'}`,
  );
  if (isEnough) {
    tellOfStart(nodes);
    break;
  }
}

console.log('\nEngines, as a share of what was measured or assumed');
const lists = rate * ASSUMED.mix.list;
const entries = rate * ASSUMED.mix.entry;
const database = lists / MEASURED.listsPerS + entries / MEASURED.entriesPerS;
console.log(
  `PostgreSQL: ${lists} lists/s and ${entries} entries/s are ${database.toFixed(1)} times the measured machine`,
);
console.log(`Redis: ${rate} checks/s are ${percent(rate / MEASURED.limitChecksPerS)} of one`);
console.log(`hot user: at most ${1 / ASSUMED.commitS} writes/s, one after the other`);
console.log(
  `hot key: the same ${percent(rate / MEASURED.limitChecksPerS)} of one Redis if all came with one key; no second Redis helps it`,
);

/** How long one request keeps a thread, in seconds. */
function drawRequest(): number {
  const { mix, cachedShare, nodeShareOfDatabaseRequest } = ASSUMED;
  const isCached = random() < cachedShare;
  const which = random() * (1 - mix.scan);
  if (which < mix.search) {
    const searchS = isCached ? 0 : growth * logNormal(MEASURED.searchP50S, MEASURED.searchP99S, random);
    return (MEASURED.cachedSearchS + searchS) / MEASURED.clusterRate;
  }
  if (which < mix.search + mix.barcode) {
    return (isCached ? MEASURED.cachedBarcodeS : MEASURED.barcodeS) / MEASURED.clusterRate;
  }
  const isList = which < mix.search + mix.barcode + mix.list;
  return nodeShareOfDatabaseRequest / (isList ? MEASURED.listsPerS : MEASURED.entriesPerS);
}

function tellOfStart(nodes: number): void {
  const { storeBytesPerS, nodeBytesPerS } = ASSUMED;
  const alone = catalogueBytes / nodeBytesPerS;
  const together = Math.max(alone, (nodes * catalogueBytes) / storeBytesPerS);
  console.log(`\na catalogue: ${gigabytes(catalogueBytes)}, twice that while it is swapped`);
  console.log(
    `compiling it: ${((MEASURED.compileS * scale) / 60).toFixed(0)} min; loading and checking: ${(MEASURED.loadS * scale).toFixed(0)} s`,
  );
  console.log(
    `fetching it: ${alone.toFixed(0)} s by one node, ${together.toFixed(0)} s when all ${nodes} begin at once`,
  );
}

function ms(seconds: number): string {
  return `${(seconds * 1e3).toFixed(2)} ms`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
