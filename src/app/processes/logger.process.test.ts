import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const LOGGER = join(import.meta.dirname, 'logger.ts');

test.skipIf(process.platform !== 'linux')('a log on a full disk does not end the program', () => {
  const program = `
    const { createLogger, standardOutput } = await import(${JSON.stringify(LOGGER)});
    const log = createLogger({ level: 'info', destination: standardOutput('json') });
    for (let line = 0; line < 3; line++) log.info('a line');
    process.stderr.write('alive');
  `;
  const full = openSync('/dev/full', 'w');
  try {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'alive' });
  } finally {
    closeSync(full);
  }
});
