import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

const countsFile = process.env['LARDER_TEST_COUNTS_FILE'];
// Tests hand each program that they start its whole environment; nothing of the shell's leaks in.
delete process.env['LARDER_TEST_COUNTS_FILE'];

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', ...(countsFile === undefined ? [] : [new CountReporter({ file: countsFile })])],
    globalSetup: ['test/support/bring-servers.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
