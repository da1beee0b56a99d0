/** The value below which `share` of the sorted values lie. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export interface Timing {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export function timingOf(milliseconds: readonly number[]): Timing {
  const sorted = Float64Array.from(milliseconds).sort();
  return {
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    max: sorted.at(-1) ?? 0,
  };
}

export function toText({ p50, p95, p99, max }: Timing): string {
  return [p50, p95, p99, max].map((value) => value.toFixed(3).padStart(9)).join('');
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
