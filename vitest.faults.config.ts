import { defineConfig } from 'vitest/config';

/** `npm run test:faults`: minutes, so it is no part of `npm test`. */
export default defineConfig({
  test: {
    name: 'faults',
    include: ['test/faults/cluster-under-faults.ts'],
    globalSetup: ['test/support/bring-servers.ts'],
    pool: 'forks',
  },
});
