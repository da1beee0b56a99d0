/** Options for `vi.waitFor`: waits as long as needed, and fails only for events that never happen. */
export const PATIENCE = { timeout: 120_000, interval: 50 };
