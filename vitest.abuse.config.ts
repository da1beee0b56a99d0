import { defineConfig } from 'vitest/config';

const seed = process.env['ABUSE_SEED'];
const mode = process.env['ABUSE_MODE'] ?? '';
const shared = {
  include: ['test/abuse/service-under-attack.ts'],
  provide: {
    abuse: {
      ...(seed !== undefined && { seed: Number(seed) }),
      only: process.env['ABUSE_ONLY'] ?? '',
      isFull: process.env['ABUSE_FULL'] === '1',
    },
  },
  pool: 'forks' as const,
};

declare module 'vitest' {
  interface ProvidedContext {
    abuse: { readonly seed?: number; readonly only: string; readonly isFull: boolean };
  }
}

/** `npm run test:abuse`: minutes, so it is no part of `npm test`. One mode after the other: they share the machine. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/bring-servers.ts'],
    fileParallelism: false,
    projects: [
      { extends: true, test: { ...shared, name: 'embedded' } },
      { extends: true, test: { ...shared, name: 'cluster', globalSetup: ['test/support/start-cluster.ts'] } },
    ].filter(({ test: { name } }) => name.includes(mode)),
  },
});
