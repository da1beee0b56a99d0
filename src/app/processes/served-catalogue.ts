import { OperatorError } from '@larder/core/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Pause } from '../../base/pause.ts';
import { type Backoff, backoffMs, retry } from '../../base/retry.ts';
import { readDirectory } from '../../foods/catalogue/catalogue-file.ts';
import type { ActiveCatalogue, ActiveCatalogueWatch } from '../../foods/published/active-catalogue.ts';
import { CopyProblem } from '../../foods/published/fetch-problem.ts';
import { type LoadedCatalogue, REFUSED, type ServiceStatus } from '../../http/service/health.ts';
import type { ProcessMetrics } from '../../http/service/process-metrics.ts';

export interface ServedCatalogueOptions {
  readonly active: ActiveCatalogue;
  /** Resolves when all API threads serve this verified catalogue. */
  readonly share?: (image: SharedArrayBuffer) => Promise<void>;
  readonly metrics?: ProcessMetrics;
  readonly log: Log;
  /** Called when `status` has changed. */
  readonly onChange?: () => void;
  readonly pause?: Pause;
  /** From 0 to 1. */
  readonly random?: () => number;
}

type Status = Pick<ServiceStatus, 'catalogue' | 'catalogueProblem' | 'following'>;

/**
 * The catalogue that a process serves, in a service and in a worker: the newest active one that it can use. If one cannot be
 * used, the process keeps the previous one and tries again until another one is active.
 *
 *     another one is active ──▶ load ──▶ share with all threads ──▶ served
 *                   │ ▲           └───failed────┘
 *                   │ │                 ▼
 *                   │ └── pause, longer each time
 *                   └── ends the attempts at an older one, and drops it if it is being loaded
 */
export class ServedCatalogue {
  readonly #options: ServedCatalogueOptions;
  #image: SharedArrayBuffer | undefined;
  #watch: ActiveCatalogueWatch | undefined;
  #loaded: LoadedCatalogue | undefined;
  /** Aborted when another catalogue is active. */
  #latest = new AbortController();
  #switching: Promise<void> = Promise.resolve();
  /** Reason for which the active catalogue was rejected. It contains file names, so only the log has it. */
  #refusal: string | undefined;

  constructor(options: ServedCatalogueOptions) {
    this.#options = options;
    const { active, metrics } = options;
    if (active.node !== undefined) metrics?.watchActiveCatalogue(active.node);
  }

  /** Undefined until `begin` has ended. */
  get image(): SharedArrayBuffer | undefined {
    return this.#image;
  }

  /** The catalogue's part of the health status. */
  get status(): Status {
    const { active, problem } = this.#options.active.node ?? {};
    return {
      catalogue: this.#loaded,
      catalogueProblem: this.#refusal === undefined ? undefined : REFUSED,
      following: active === undefined ? undefined : { active, problem: problem?.message },
    };
  }

  /** Loads the first catalogue, unless that is being mended. Throws an `OperatorError` if none can be used. */
  async begin(): Promise<LoadedCatalogue | undefined> {
    const { active } = this.#options;
    const name = await active.current();
    if (name === undefined && active.isMending) return undefined;
    if (name === undefined) throw new OperatorError('There is no catalogue yet; import one first.');
    return this.#serve(await active.load(name, this.#latest.signal), name);
  }

  /** Serves each later catalogue as soon as it can be used. */
  follow(): void {
    const { active, onChange = () => {} } = this.#options;
    active.node?.onChange(onChange);
    this.#watch = active.watch(this.#loaded?.name, (name) => this.#switchTo(name));
  }

  /** Resolves when the current attempt has ended. */
  close(): Promise<void> {
    this.#watch?.close();
    this.#latest.abort();
    return this.#switching;
  }

  #switchTo(name: string): void {
    this.#latest.abort();
    this.#latest = new AbortController();
    const { signal } = this.#latest;
    this.#switching = this.#switching.then(() => this.#pursue(name, signal));
  }

  /** Tries to serve this catalogue until that succeeds or `signal` is aborted. */
  async #pursue(name: string, signal: AbortSignal): Promise<void> {
    const { active, log, onChange = () => {}, pause, random = Math.random } = this.#options;
    const attempt = async () => {
      if (name === this.#loaded?.name) return;
      const image = await active.load(name, signal);
      signal.throwIfAborted();
      const catalogue = await this.#serve(image, name);
      this.#refusal = undefined;
      log.info({ catalogue }, 'answering from another catalogue');
      await active.served(name);
      onChange();
    };
    const delayMs = async (error: unknown, failures: number) =>
      backoffMs(await this.#failed(name, error), failures, random());
    try {
      await retry(attempt, { delayMs, signal, pause });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #serve(image: SharedArrayBuffer, name: string): Promise<LoadedCatalogue> {
    const { share, metrics } = this.#options;
    const { info } = readDirectory(image);
    await share?.(image);
    this.#image = image;
    metrics?.catalogueLoaded(info);
    const { foods, checksum } = info;
    this.#loaded = { name, foods, checksum };
    return this.#loaded;
  }

  async #failed(name: string, error: unknown): Promise<Backoff> {
    const { active, metrics, log, onChange = () => {} } = this.#options;
    // A catalogue that could not be fetched is not rejected; `active` reports that.
    if (!(error instanceof CopyProblem)) {
      const reason = error instanceof OperatorError ? error.message : 'it could not be loaded';
      // A reason is reported once, although the catalogue is tried again.
      if (reason !== this.#refusal) {
        metrics?.catalogueRefused();
        log.error(
          { err: error, catalogue: name },
          'a catalogue was rejected, the previous one is still served',
        );
      }
      this.#refusal = reason;
      onChange();
    }
    return active.failed(name, error);
  }
}
