import { defineConfig } from 'vitest/config';
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

export default defineConfig({
  test: {
    reporters: ['default', ...(countsFile === undefined ? [] : [new CountReporter({ file: countsFile })])],
    globalSetup: ['test/support/bring-servers.ts'],
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
        extends: true,
        test: {
          name: 'embedded',
          include: [
            '{src,packages,tools,bench}/**/*.test.ts',
            'test/{abuse,contract,http,acceptance,deploy,faults,support}/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: ['test/http/**/*.test.ts', 'test/acceptance/**/*.test.ts', 'test/cluster/**/*.test.ts'],
          // Uploads to an S3 store do not pass through the service.
          exclude: ['test/http/{objects,uploads,full-disk}.test.ts'],
          globalSetup: ['test/support/start-cluster.ts'],
        },
      },
    ],
  },
});
