import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import type { AnalysisOutcome } from '../../scan/analysis/analysis.ts';
import type { ScanFoods } from '../../scan/analysis/scan-foods.ts';
import { AnalysisPool } from './analysis-pool.ts';

const NO_FOODS: ScanFoods = {
  findByBarcode: async () => undefined,
  readNames: async () => [],
  findById: async () => undefined,
  search: async () => [],
};
const IMAGES = 10_000;
/** Images after which the code is compiled and memory pools have their size. */
const WARM_UP = 4_000;
/** The heap still grows to its final size; 40,000 images take no more than 10,000. */
const MAX_GROWTH_MB = 128;
const PAGES_PER_MB = 256;
const DAMAGES = ['cut off', 'overwritten', 'with foreign bytes in front', 'filled with zeros'] as const;

const errors: unknown[] = [];
const pool = new AnalysisPool({
  config: readConfig({ LARDER_DISH_MODEL: 'none' }),
  processes: 1,
  onError: (error) => errors.push(error),
});
afterAll(() => pool.close());

const drawing = () =>
  sharp({
    create: {
      width: 96,
      height: 64,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });
const samples = await Promise.all([
  drawing().jpeg().toBuffer(),
  drawing().jpeg({ progressive: true }).toBuffer(),
  drawing().png().toBuffer(),
  drawing().png({ progressive: true, palette: true }).toBuffer(),
  drawing().webp().toBuffer(),
  drawing().webp({ lossless: true }).toBuffer(),
]);

/** Makes the same broken image in each run; few can be decoded completely. */
function broken(number: number): Buffer {
  const sample = samples[number % samples.length]!;
  const at = 16 + ((number * 7919) % (sample.length >> 1));
  const damage = DAMAGES[(number >> 3) % DAMAGES.length]!;
  if (damage === 'cut off') return sample.subarray(0, at);
  if (damage === 'with foreign bytes in front') return Buffer.concat([Buffer.alloc(3, number), sample]);
  const damaged = Buffer.from(sample.subarray(0, sample.length - (sample.length >> 2)));
  damaged.fill(damage === 'filled with zeros' ? 0 : number * 31, at, at + 40);
  return damaged;
}

function residentMb(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) / PAGES_PER_MB;
}

test.runIf(process.platform === 'linux')(
  '10,000 consecutive broken images are answered, do not crash the process, and leave no memory behind',
  async () => {
    const pids = new Set<number>();
    const codes = new Map<string, number>();
    let warmMb = 0;
    for (let number = 0; number < IMAGES; number++) {
      const bytes = new Uint8Array(broken(number));
      const outcome: AnalysisOutcome = await pool.analyse({ bytes, foods: NO_FOODS, timeoutMs: 600_000 });
      const code = 'failure' in outcome ? outcome.failure.code : 'completed';
      codes.set(code, (codes.get(code) ?? 0) + 1);
      for (const pid of pool.pids) pids.add(pid);
      if (number === WARM_UP) warmMb = residentMb(pool.pids[0]!);
    }
    expect(errors).toEqual([]);
    expect(pids.size).toBe(1);
    const refused = (codes.get('image_unreadable') ?? 0) + (codes.get('unsupported_image') ?? 0);
    // An overwritten header may make the image so small that the remaining data suffices.
    expect(refused + (codes.get('no_food_detected') ?? 0)).toBe(IMAGES);
    expect(refused).toBeGreaterThan(0.95 * IMAGES);
    expect(residentMb(pool.pids[0]!) - warmMb).toBeLessThan(MAX_GROWTH_MB);
  },
);
