import type { DiaryOwner } from '../../../src/diary/records/entry.ts';

/** The numbers of rows to which `statistics.json` applies; `npm run bench -- query-plans` fills tables with them. */
export const ROWS = {
  changes: 10_000_000,
  diary_entries: 10_000_000,
  scans: 1_000_000,
  idempotent_requests: 1_000_000,
  webhook_deliveries: 1_000_000,
  diary_recipes: 500_000,
  diary_measurements: 500_000,
  diary_records: 500_000,
  live_foods: 200_000,
  remembered_photos: 200_000,
  webhooks: 1_000,
  live_food_usage: 500,
  api_keys: 100_000,
  diary_goals: 100_000,
  sessions: 5_000,
  change_heads: 20_000,
  diary_goal_versions: 20_000,
  catalogue_activations: 300,
  catalogue_imports: 20,
  catalogue_versions: 7,
  security_events: 10_000,
  signing_keys: 3,
  people: 100,
  join_links: 100,
  identities: 100,
  passkeys: 200,
  recovery_codes: 1_000,
  sharing: 1_000,
  departures: 3,
  feed_epochs: 1,
} as const;
export type FilledTable = keyof typeof ROWS;

/** The time of the newest row. */
export const FILLED_AT_MS = Date.UTC(2026, 10, 21, 12);

/** The user with the most entries (some 13,000) of the largest tenant, and one with few entries of a small tenant. */
export const BUSY: DiaryOwner = { tenant: 'tenant-0', userId: 'user-0' };
export const QUIET: DiaryOwner = { tenant: 'tenant-495', userId: 'user-19803' };
