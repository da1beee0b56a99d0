import type { Probe } from '../attack.ts';

/** One question of the victim. */
export interface Sample {
  readonly probe: Probe;
  /** From the moment when it was due. */
  readonly ms: number;
  /** 0 where no answer came. */
  readonly status: number;
}

/** Returns the value that `share` of these values do not exceed (nearest rank); 0 without values. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

const GROUPS: Readonly<Record<Probe, 'search' | 'diary'>> = {
  search: 'search',
  barcode: 'search',
  'diary write': 'diary',
  'diary read': 'diary',
};

/** 99th percentile of answers about foods, and of those about diaries. */
export function slowest(samples: readonly Sample[]): Readonly<Record<'search' | 'diary', number>> {
  const p99 = (group: string) =>
    quantile(
      samples.filter(({ probe }) => GROUPS[probe] === group).map(({ ms }) => ms),
      0.99,
    );
  return { search: p99('search'), diary: p99('diary') };
}
