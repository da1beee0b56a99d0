import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

const countsFile = process.env['LARDER_TEST_COUNTS_FILE'];
// Tests hand each program that they start its whole environment; nothing of the shell's leaks in.
delete process.env['LARDER_TEST_COUNTS_FILE'];

export default defineConfig({
  test: {
    reporters: ['default', ...(countsFile === undefined ? [] : [new CountReporter({ file: countsFile })])],
    globalSetup: ['test/support/bring-servers.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['src/**/*.test.ts', 'test/{contract,http,acceptance,deploy,faults}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: ['test/http/**/*.test.ts', 'test/acceptance/**/*.test.ts', 'test/cluster/**/*.test.ts'],
          // An S3 store has addresses of its own.
          exclude: ['test/http/objects.test.ts'],
          globalSetup: ['test/support/start-cluster.ts'],
        },
      },
    ],
  },
});
