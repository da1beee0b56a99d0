import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

// Tests hand each program that they start its whole environment; nothing of the shell's leaks in.
const countsFile = take('LARDER_TEST_COUNTS_FILE');
const propertySeed = take('LARDER_PROPERTY_SEED');
const propertyRuns = {
  factor: Number(take('LARDER_PROPERTY_RUNS') ?? 1),
  ...(propertySeed !== undefined && { seed: Number(propertySeed) }),
};

function take(name: string): string | undefined {
  const value = process.env[name];
  delete process.env[name];
  return value;
}

const QUERY_PLANS = 'test/cluster/query-plans.test.ts';

export default defineConfig({
  test: {
    reporters: ['default', ...(countsFile === undefined ? [] : [new CountReporter({ file: countsFile })])],
    // Nothing here is about speed: only what hangs runs into these, however busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000, interval: 25 } },
    setupFiles: ['test/support/thorough-properties.ts'],
    provide: { propertyRuns },
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        // Neither programs nor threads nor servers of the whole service, so the files can share a process.
        extends: true,
        // The page is built from the client's source.
        resolve: {
          alias: [
            {
              find: /^larder-client$/,
              replacement: join(import.meta.dirname, 'packages/client/src/index.ts'),
            },
          ],
        },
        test: {
          name: 'unit',
          include: [
            '{src,packages,tools,bench,web}/**/*.test.ts',
            'test/{abuse,faults,support}/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, '**/*.process.test.ts'],
          isolate: false,
        },
      },
      {
        // Starts programs, processes or threads, or works for long: native recognizers, imports of real exports.
        extends: true,
        test: {
          name: 'process',
          include: ['**/*.process.test.ts', 'test/deploy/**/*.test.ts'],
          globalSetup: ['test/support/bring-servers.ts', 'test/support/bring-browsers.ts'],
        },
      },
      {
        // A whole service over a data folder, ports with their embedded adapters. Files share a process, since loading the code took half
        // of the time.
        extends: true,
        test: {
          name: 'embedded',
          isolate: false,
          include: ['test/{acceptance,contract,http}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.cluster.test.ts'],
          globalSetup: ['test/support/bring-servers.ts'],
        },
      },
      {
        // Many nodes over PostgreSQL, Redis and an S3 store; ports with these adapters.
        extends: true,
        test: {
          name: 'cluster',
          isolate: false,
          include: ['test/{cluster,contract,http}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.embedded.test.ts', QUERY_PLANS],
          globalSetup: ['test/support/start-cluster.ts'],
        },
      },
      {
        // Counts calls of functions, so that it needs modules that nobody has used.
        extends: true,
        test: {
          name: 'query-plans',
          include: [QUERY_PLANS],
          globalSetup: ['test/support/start-cluster.ts'],
        },
      },
    ],
  },
});
