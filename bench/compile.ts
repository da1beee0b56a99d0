/**
 * How long does it take to compile all packaged foods, and how much memory? Goals: 300 s and 1,500 MB for 3.9 M.
 *
 *     npm run bench -- compile [--foods 3900000]
 */
import { parseArgs } from 'node:util';
import { type CompileProgress, compileCatalogue } from '../src/foods/compile/compile.ts';
import { ensureGeneratedSegment, generatedCatalogue } from './support/generated-catalogue.ts';
import { megabytes } from './support/search-figures.ts';

const { values } = parseArgs({ options: { foods: { type: 'string', default: '3900000' } } });
const count = Number(values.foods);
const segments = [ensureGeneratedSegment(count)];

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
const onProgress = ({ phase, done, total }: CompileProgress) => {
  if (done === total) console.log(`${phase.padEnd(8)} ${seconds()} s  peak ${peakMemory()}`);
};
const { info, merged } = await compileCatalogue({
  segments,
  out: generatedCatalogue(count),
  nowMs: Date.now,
  onProgress,
});
console.log(`${count} records compiled in ${seconds()} s, peak memory ${peakMemory()}`);
console.log(`${info.foods} foods, ${info.knownProducts} known, ${megabytes(info.bytes)}`, merged);

function peakMemory(): string {
  return megabytes(process.resourceUsage().maxRSS * 1024);
}
