import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MODULE = join(import.meta.dirname, 'clean-up.ts');

/** A process that would leave another process and a file behind. */
async function start(folder: string, last: string) {
  const code = `
    import { spawn } from 'node:child_process';
    import { CleanUp } from ${JSON.stringify(MODULE)};
    const cleanUp = new CleanUp();
    const service = spawn('sleep', ['600'], { stdio: 'ignore' });
    cleanUp.add('touch ${join(folder, 'done')}');
    cleanUp.endProcess(service.pid);
    process.stdout.write(String(service.pid));
    ${last}
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = await once(child.stdout!, 'data');
  return { child, servicePid: Number(text) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('what was started ends after %s', async (signal) => {
  using folder = tempFolder();
  const { child, servicePid } = await start(folder.path, '');
  expect(isRunning(servicePid)).toBe(true);
  child.kill(signal);
  await vi.waitFor(() => {
    expect(isRunning(servicePid)).toBe(false);
    expect(existsSync(join(folder.path, 'done'))).toBe(true);
  }, PATIENCE);
});

test('commands are not run after disposal', async () => {
  using folder = tempFolder();
  const last = 'cleanUp[Symbol.dispose](); service.kill(); process.exit(0);';
  const { child } = await start(folder.path, last);
  if (child.exitCode === null) await once(child, 'exit');
  expect(existsSync(join(folder.path, 'done'))).toBe(false);
});
