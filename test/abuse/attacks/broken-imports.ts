import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { processFigures } from '../../support/process-figures.ts';
import type { Attack, Scene } from '../attack.ts';
import { type BrokenExport, writeBrokenExports } from '../generators/exports.ts';
import { mib } from '../measured.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'bin', 'larder.mjs');
const LINES = 100_000;
const SOME_LINES = 10_000;
/** What docs/operating.md reckons an import with. */
const MAX_RSS_BYTES = 1_000_000_000;
const LOOK_EVERY_MS = 100;

/** An operator imports files that nobody has checked, one of each format, into the service's own data folder. */
export const brokenImports: Attack = {
  name: 'broken imports',
  async run(scene) {
    const rows = scene.count(LINES, SOME_LINES);
    const exports = writeBrokenExports(scene.folder, rows, scene.random);
    const breaches: string[] = [];
    let most = 0;
    for (const broken of exports) {
      const { problems, rssBytes } = await importOne(scene, broken);
      breaches.push(...problems.map((problem) => `${broken.name}: ${problem}`));
      most = Math.max(most, rssBytes);
    }
    const names = exports.map(({ name }) => name).join(', ');
    return { sent: `${rows} lines each of ${names}; ${mib(most)} at most`, breaches };
  },
};

async function importOne({ settings }: Scene, { words }: BrokenExport) {
  const env = { PATH: process.env['PATH'] ?? '', ...settings };
  const command = [PROGRAM, 'import', ...words, '--keep-current', '--json'];
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let rssBytes = 0;
  const looking = setInterval(() => {
    rssBytes = Math.max(rssBytes, rssOf(child.pid!));
  }, LOOK_EVERY_MS);
  let said = '';
  child.stderr.on('data', (text) => {
    said = (said + text).slice(-2_000);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(looking);
  const hasStack = /\n\s+at .*:\d+:\d+/.test(said);
  return {
    rssBytes,
    problems: [
      ...((code === 0 || code === 1) && !hasStack ? [] : [`ended with ${code}: ${said.slice(-300)}`]),
      ...(rssBytes > MAX_RSS_BYTES ? [`took ${mib(rssBytes)}`] : []),
    ],
  };
}

/** 0 for a process that has just ended. */
function rssOf(pid: number): number {
  try {
    return processFigures(pid).rssBytes || 0;
  } catch {
    return 0;
  }
}
