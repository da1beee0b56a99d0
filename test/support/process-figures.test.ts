import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { processFigures } from './process-figures.ts';

test.runIf(process.platform === 'linux')(
  'memory, open files and threads of a process are read correctly',
  () => {
    const before = processFigures(process.pid);
    expect(Math.abs(before.rssBytes / process.memoryUsage.rss() - 1)).toBeLessThan(0.5);
    expect(before.threads).toBeGreaterThan(1);
    const files = Array.from({ length: 20 }, () => openSync('/dev/null', 'r'));
    expect(processFigures(process.pid).openFiles - before.openFiles).toBeGreaterThanOrEqual(20);
    for (const file of files) closeSync(file);
  },
);
