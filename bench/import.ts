/**
 * Measures how many products of Open Food Facts are imported per second and core from plain files, and the
 * memory used.
 *
 *     npm run bench -- import [--csv ROWS] [--jsonl PRODUCTS]
 *
 * "read" is reading, normalising and writing the segment; "all" also compiles the catalogue and activates it.
 * A core's second is one second of CPU time of all threads. To profile:
 *
 *     node --cpu-prof --cpu-prof-dir=/tmp/profile bench/import.ts --csv 300000 --jsonl 0
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CatalogueStore } from '../src/foods/compile/catalogue-store.ts';
import type { ImportProgress } from '../src/foods/import/import-progress.ts';
import { runImport } from '../src/foods/import/import-run.ts';
import { readOffFile } from '../src/foods/import/off/source.ts';
import { inspectSourceFile } from '../src/foods/import/readers/source-file.ts';
import { type Generated, generateCsv, generateJsonl } from './support/off-exports.ts';

const { values } = parseArgs({
  options: { csv: { type: 'string', default: '300000' }, jsonl: { type: 'string', default: '40000' } },
});
const folder = mkdtempSync(join(tmpdir(), 'larder-bench-import-'));

async function measure(label: string, goal: number, { file, from }: Generated): Promise<void> {
  const dataDir = join(folder, `data-${label}`);
  const source = await inspectSourceFile(file);
  const read = new PhaseClock();
  const started = { wallMs: performance.now(), cpu: process.cpuUsage() };
  const { report } = await runImport({
    origin: 'off',
    sources: [
      {
        name: source.name,
        sizeBytes: source.sizeBytes,
        read: (sink, onBytesRead, signal) => readOffFile(source, sink, { onBytesRead, signal }),
      },
    ],
    catalogueStore: new CatalogueStore({ dataDir, nowMs: Date.now }),
    replace: true,
    putInUse: true,
    progress: read,
    nowMs: Date.now,
    signal: new AbortController().signal,
  });
  const all = {
    wallMs: performance.now() - started.wallMs,
    cpuMs: milliseconds(process.cpuUsage(started.cpu)),
  };
  const sizeMb = statSync(file).size / 1e6;
  console.log(
    `${label}: ${report.read.toLocaleString('en-US')} products from ${from}, ${sizeMb.toFixed(0)} MB`,
  );
  for (const [name, { wallMs, cpuMs }] of Object.entries({ read: read.first, all })) {
    const perSecond = Math.round((report.read * 1_000) / wallMs).toLocaleString('en-US');
    const perCore = Math.round((report.read * 1_000) / cpuMs).toLocaleString('en-US');
    console.log(
      `  ${name.padEnd(5)} ${perSecond.padStart(9)} products/s  ${perCore.padStart(9)} products/s/core  ` +
        `${((sizeMb * 1_000) / wallMs).toFixed(0).padStart(5)} MB/s`,
    );
  }
  const peakMb = process.resourceUsage().maxRSS / 1_024;
  console.log(
    `  goal  ${goal.toLocaleString('en-US').padStart(9)} products/s/core; peak memory ${peakMb.toFixed(0)} MB`,
  );
}

/** Measures the first phase of an import. */
class PhaseClock implements ImportProgress {
  first = { wallMs: 0, cpuMs: 0 };
  #started = { wallMs: 0, cpu: process.cpuUsage() };
  #phases = 0;

  begin(): void {
    if (this.#phases++ === 0) this.#started = { wallMs: performance.now(), cpu: process.cpuUsage() };
    else if (this.first.wallMs === 0) {
      const cpuMs = milliseconds(process.cpuUsage(this.#started.cpu));
      this.first = { wallMs: performance.now() - this.#started.wallMs, cpuMs };
    }
  }

  update(): void {}

  end(): void {}
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

try {
  const csvRows = Number(values.csv);
  const products = Number(values.jsonl);
  if (csvRows > 0) await measure('CSV', 40_000, generateCsv(join(folder, 'products.csv'), csvRows));
  if (products > 0) await measure('JSONL', 8_000, generateJsonl(join(folder, 'products.jsonl'), products));
} finally {
  rmSync(folder, { recursive: true });
}
