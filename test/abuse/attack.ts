import type { Random } from '../../bench/support/search-random.ts';
import type { HostileClient } from './attacker/hostile-client.ts';

/** What a victim asks for, again and again. */
export const PROBES = ['search', 'barcode', 'diary write', 'diary read'] as const;
export type Probe = (typeof PROBES)[number];

/** How the service has to be started for an attack. */
export type Setup = 'usual' | 'openid' | 'small disk' | 'stepped clock' | 'unprivileged';

export interface Attack {
  /** Words for `ABUSE_ONLY`. */
  readonly name: string;
  readonly setup?: Setup;
  /** How long the full count may take, where that is more than ten minutes. */
  readonly fullLimitMs?: number;
  /** Answers that others may get meanwhile, since the attack takes away what these need: probe to statuses. */
  readonly allows?: Readonly<Partial<Record<Probe, readonly number[]>>>;
  /** Resolves when all was sent and answered, or the time is over. */
  run(scene: Scene): Promise<Outcome>;
}

/** What an attacker has to work with. */
export interface Scene {
  readonly mode: 'embedded' | 'cluster';
  readonly url: string;
  /** Process id of the service, so that an attack can measure its resources. */
  readonly pid: number;
  /** May do everything for tenant `attacker`, a million times a minute. */
  readonly key: string;
  /** Key of tenant `victim`. Attacks use it to create data that they then try to reach without it. */
  readonly victimKey: string;
  readonly dataDir: string;
  /** Settings of the service, for commands beside it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Holds the offset of the service's clock, such as `+1d`; only with the setup `stepped clock`. */
  readonly clockFile: string;
  /** Empty, gone after the attack. */
  readonly folder: string;
  readonly random: Random;
  readonly client: HostileClient;
  /** Returns `full` if `ABUSE_FULL=1` is set, otherwise `usual`, which fits into a run of ten minutes. */
  count(full: number, usual: number): number;
  /** No attack goes on after that; by `performance.now()`. */
  readonly endsAtMs: number;
}

export interface Outcome {
  /** How much was sent, in words for the table. */
  readonly sent: string;
  /** Promises that this attack found broken by itself. */
  readonly breaches: readonly string[];
}
