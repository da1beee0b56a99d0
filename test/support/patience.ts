/** For `vi.waitFor`: waits as long as needed; fails only for what never happens. */
export const PATIENCE = { timeout: 120_000, interval: 50 };
