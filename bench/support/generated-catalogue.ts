import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCatalogue } from '../../src/foods/compile/compile.ts';
import { writeGeneratedSegment } from './generated-foods.ts';

/** Generated files are kept between runs, since the same count always gives the same bytes. */
const FOLDER = join(tmpdir(), 'larder-bench');

function generatedSegment(count: number): string {
  return join(FOLDER, `${count}.segment`);
}

export function generatedCatalogue(count: number): string {
  return join(FOLDER, `${count}.catalogue`);
}

/** In a process of its own, so that the caller's memory is not what the generator needed. */
export function ensureGeneratedSegment(count: number): string {
  const file = generatedSegment(count);
  if (!existsSync(file)) runApart('segment', count);
  return file;
}

export function ensureGeneratedCatalogue(count: number): string {
  ensureGeneratedSegment(count);
  const file = generatedCatalogue(count);
  if (existsSync(file)) console.log(`using ${file}; run "compile" first to measure what has changed since`);
  else runApart('catalogue', count);
  return file;
}

function runApart(what: string, count: number): void {
  console.log(`generating the ${what} of ${count} products, once`);
  mkdirSync(FOLDER, { recursive: true });
  const { status } = spawnSync(process.execPath, [import.meta.filename, what, String(count)], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`generating the ${what} failed`);
}

if (process.argv[1] === import.meta.filename) {
  const [what, count] = [process.argv[2], Number(process.argv[3])];
  if (what === 'segment') await writeGeneratedSegment(generatedSegment(count), count);
  else {
    const segments = [generatedSegment(count)];
    await compileCatalogue({ segments, out: generatedCatalogue(count), nowMs: Date.now });
  }
}
