import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';

const ROOT = join(import.meta.dirname, '../..');
const unit = readFileSync(join(ROOT, 'deploy/systemd/larder.service'), 'utf8');
const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

test('the systemd unit starts the program with known settings', () => {
  const program = /^\/usr\/bin\/node \/opt\/larder\/(\S+) serve$/.exec(settingOf('ExecStart')!)![1]!;
  expect(existsSync(join(ROOT, program))).toBe(true);
  const [name, value] = settingOf('Environment')!.split('=') as [string, string];
  expect(readConfig({ [name]: value }).dataDir).toBe(`/var/lib/${settingOf('StateDirectory')}`);
});

test('it gives the program more time to stop than the program needs', () => {
  expect(Number(settingOf('TimeoutStopSec')) * 1000).toBeGreaterThan(readConfig({}).shutdownTimeoutMs);
});
