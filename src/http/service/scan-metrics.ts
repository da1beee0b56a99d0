import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { AnalysisOutcome } from '../../scan/analysis/analysis.ts';
import type { ScanOutcome, WorkedScan } from '../../scan/jobs/scan-observer.ts';
import type { ScanQueueDepth } from '../../scan/jobs/scan-queue.ts';
import { SCAN_FAILURE_CODES } from '../../scan/scan-job.ts';

/** Buckets in seconds: a barcode takes tenths of a second, a label or a remote model takes seconds. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Metrics of this process's work on scans, and of pending scans of all processes. */
export class ScanMetrics {
  readonly #duration: Histogram<'outcome'>;
  readonly #postponed: Counter;
  readonly #runs: Counter<'recognizer' | 'outcome'>;
  readonly #tokens: Counter<'recognizer' | 'direction'>;
  readonly #cost: Counter<'recognizer'>;

  constructor({ register, depth }: { register: Registry; depth: () => Promise<ScanQueueDepth> | undefined }) {
    const registers = [register];
    const queue: Gauge<'state'> = new Gauge({
      name: 'larder_scan_queue_jobs',
      help: 'Images that wait for a worker, and those that are being worked on, of all processes.',
      labelNames: ['state'],
      registers,
      async collect() {
        // If the database is unavailable, only this metric is missing.
        const found = await depth()?.catch(() => undefined);
        queue.reset();
        if (found === undefined) return;
        queue.set({ state: 'waiting' }, found.waiting);
        queue.set({ state: 'running' }, found.running);
      },
    });
    this.#duration = new Histogram({
      name: 'larder_scan_duration_seconds',
      help: 'From taking a scan to settling it, by what came out: completed, or why it failed.',
      labelNames: ['outcome'],
      buckets: BUCKETS,
      registers,
    });
    for (const outcome of ['completed', ...SCAN_FAILURE_CODES]) this.#duration.zero({ outcome });
    this.#postponed = new Counter({
      name: 'larder_scan_attempts_postponed_total',
      help: 'Attempts that failed for a reason that may pass.',
      registers,
    });
    this.#runs = new Counter({
      name: 'larder_scan_recognizer_runs_total',
      help: 'Images that each recognizer was asked about, by what it said.',
      labelNames: ['recognizer', 'outcome'],
      registers,
    });
    this.#tokens = new Counter({
      name: 'larder_scan_recognizer_tokens_total',
      help: 'Tokens that asking outside models took.',
      labelNames: ['recognizer', 'direction'],
      registers,
    });
    this.#cost = new Counter({
      name: 'larder_scan_recognizer_cost_usd_total',
      help: 'What that cost, by the configured prices.',
      labelNames: ['recognizer'],
      registers,
    });
  }

  settled({ ms }: WorkedScan, outcome: ScanOutcome): void {
    this.#duration.observe({ outcome }, ms / 1000);
  }

  postponed(): void {
    this.#postponed.inc();
  }

  /** Counts every attempt, because calling a recognizer costs the same whatever it returns. */
  looked({ recognizers }: AnalysisOutcome['analysis']): void {
    for (const { name: recognizer, outcome, usage } of recognizers) {
      this.#runs.inc({ recognizer, outcome });
      if (usage === undefined) continue;
      this.#tokens.inc({ recognizer, direction: 'input' }, usage.inputTokens);
      this.#tokens.inc({ recognizer, direction: 'output' }, usage.outputTokens);
      if (usage.costUsd !== undefined) this.#cost.inc({ recognizer }, usage.costUsd);
    }
  }
}
