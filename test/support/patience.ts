/** For `vi.waitFor`: what has to come is waited for as long as it takes; only what never comes fails. */
export const PATIENCE = { timeout: 120_000, interval: 50 };
