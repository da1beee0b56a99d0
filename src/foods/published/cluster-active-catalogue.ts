import { RepeatedTask } from '../../base/repeated-task.ts';
import { type Backoff, backoffMs, retry } from '../../base/retry.ts';
import type { ActiveCatalogue, ActiveCatalogueWatch, NodeCatalogue } from './active-catalogue.ts';
import type { CatalogueCopies } from './catalogue-copies.ts';
import type { Activation, CatalogueVersions } from './catalogue-versions.ts';
import type { CopyFetcher } from './fetch-catalogue.ts';
import { backoffAfter, CopyProblem, toCopyProblem } from './fetch-problem.ts';

/** Interval of checks of the active version, in case a notification is lost. */
const POLL_MS = 1_000;

export interface ClusterActiveCatalogueOptions {
  readonly versions: CatalogueVersions;
  readonly fetcher: CopyFetcher;
  readonly copies: CatalogueCopies;
  /** Catalogues of this machine, which are served until a version is activated. */
  readonly own: ActiveCatalogue;
  /** Reads and verifies a catalogue file; throws if the file cannot be used. */
  readonly loadImage: (file: string) => Promise<SharedArrayBuffer>;
  readonly log: {
    info(facts: object, message: string): void;
    warn(facts: object, message: string): void;
  };
}

interface FirstCatalogue {
  readonly name: string;
  readonly image: SharedArrayBuffer;
}

/**
 * The active version of the cluster, of which a copy is kept on this machine. Knows why the process does not
 * serve it yet.
 *
 *     another version is active ──▶ watch ──▶ load: read the copy, or fetch it ──▶ served: the next start begins with it
 *     (notified, or polled)                     ▲
 *                                               └── failed: the copy is verified again
 */
export class ClusterActiveCatalogue implements ActiveCatalogue, NodeCatalogue {
  readonly #options: ClusterActiveCatalogueOptions;
  readonly #looking: RepeatedTask;
  /** Dropped after it is handed over, because it may be large. */
  #first: FirstCatalogue | undefined;
  #active: Activation | undefined;
  #served: string | undefined;
  #problem: CopyProblem | undefined;
  #onActive: (name: string) => void = () => {};
  #onChange: () => void = () => {};

  constructor(options: ClusterActiveCatalogueOptions) {
    this.#options = options;
    this.#looking = new RepeatedTask(() => this.#look(), {
      everyMs: POLL_MS,
      onError: (err, failures) => {
        if (failures === 1)
          options.log.warn({ err }, 'which catalogue is active cannot be read; the last known one stays');
      },
    });
  }

  readonly node = this;

  get active(): string | undefined {
    return this.#active?.name;
  }

  get problem(): CopyProblem | undefined {
    return this.#problem;
  }

  get isBehind(): boolean {
    return this.#active !== undefined && this.#active.name !== this.#served;
  }

  get fetches(): ReadonlyMap<string, number> {
    return this.#options.fetcher.results;
  }

  /**
   * Resolves when a first catalogue is available: a local copy, even of an older version, otherwise the
   * active version after it was fetched. Resolves with false before the first activation. Throws the reason
   * of `signal`.
   */
  async begin(signal: AbortSignal): Promise<boolean> {
    this.#active = await this.#options.versions.findActive();
    this.#looking.start();
    if (this.#active === undefined) return false;
    this.#first = (await this.#loadCopy(this.#active.name)) ?? (await this.#fetchFirst(signal));
    return true;
  }

  async current(): Promise<string | undefined> {
    return this.#first?.name ?? (await this.#options.own.current());
  }

  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  watch(known: string | undefined, onChange: (name: string) => void): ActiveCatalogueWatch {
    this.#onActive = onChange;
    if (this.#active !== undefined && this.isBehind) onChange(this.#active.name);
    const own = this.#options.own.watch(known, (name) => {
      if (this.#active === undefined) onChange(name);
    });
    return {
      close: () => {
        this.#onActive = () => {};
        own.close();
      },
    };
  }

  /** Throws a `CopyProblem` for a failed fetch. */
  async load(name: string, signal: AbortSignal): Promise<SharedArrayBuffer> {
    const first = this.#first;
    this.#first = undefined;
    if (first?.name === name) return first.image;
    const { copies, fetcher, own, loadImage } = this.#options;
    if (!this.#isPublished(name)) return own.load(name, signal);
    if (!copies.has(name)) await fetcher.fetch(name, signal);
    signal.throwIfAborted();
    return loadImage(copies.pathOf(name));
  }

  async served(name: string): Promise<void> {
    const { copies, log } = this.#options;
    if (!this.#isPublished(name)) return;
    this.#served = name;
    this.#problem = undefined;
    this.#onChange();
    await copies
      .use(name)
      .catch((err) => log.warn({ err, catalogue: name }, 'the next start may begin with an older catalogue'));
  }

  /** Logs each kind of problem with one activation once. */
  async failed(name: string, error: unknown): Promise<Backoff> {
    const { own, log } = this.#options;
    if (!this.#isPublished(name)) return own.failed(name, error);
    const problem = error instanceof CopyProblem ? error : await this.#doubt(name, error);
    if (problem.code !== this.#problem?.code) {
      log.warn(
        { catalogue: name, problem: problem.code, err: problem },
        'the active catalogue is not answered from yet: it is tried again',
      );
    }
    this.#problem = problem;
    this.#onChange();
    return backoffAfter(problem);
  }

  wake(): void {
    void this.#looking.runNow();
  }

  async close(): Promise<void> {
    this.#onActive = () => {};
    await this.#looking.stop();
  }

  #isPublished(name: string): boolean {
    return name === this.active || this.#options.copies.has(name);
  }

  async #look(): Promise<void> {
    const active = await this.#options.versions.findActive();
    if (active === undefined || isSame(active, this.#active)) return;
    this.#active = active;
    this.#problem = undefined;
    this.#onChange();
    this.#onActive(active.name);
  }

  /** Loads a copy of this version or, failing that, of the last one in use. */
  async #loadCopy(name: string): Promise<FirstCatalogue | undefined> {
    const { copies, fetcher, loadImage, log } = this.#options;
    for (const candidate of new Set([name, await copies.current()])) {
      if (candidate === undefined || !copies.has(candidate)) continue;
      try {
        const image = await loadImage(copies.pathOf(candidate));
        this.#served = candidate;
        return { name: candidate, image };
      } catch (err) {
        log.warn({ err, catalogue: candidate }, 'a copy of a catalogue cannot be used');
        await fetcher.doubt(candidate);
      }
    }
    return undefined;
  }

  /** Fetches the active version until that succeeds. Another activation ends attempts at an older version. */
  async #fetchFirst(signal: AbortSignal): Promise<FirstCatalogue> {
    this.#options.log.info(
      { catalogue: this.active },
      'fetching the active catalogue; nothing is answered before',
    );
    for (;;) {
      const name = this.#active!.name;
      const outdated = new AbortController();
      this.#onActive = () => outdated.abort();
      const either = AbortSignal.any([signal, outdated.signal]);
      const delayMs = async (error: unknown, failures: number) =>
        backoffMs(await this.failed(name, error), failures, Math.random());
      try {
        const image = await retry(() => this.load(name, either), { delayMs, signal: either });
        await this.served(name);
        return { name, image };
      } catch (error) {
        signal.throwIfAborted();
        if (!outdated.signal.aborted) throw error;
      } finally {
        this.#onActive = () => {};
      }
    }
  }

  /** Makes the next load verify each part of the copy. */
  async #doubt(name: string, cause: unknown): Promise<CopyProblem> {
    const { fetcher } = this.#options;
    fetcher.count('cannot_load');
    try {
      await fetcher.doubt(name);
    } catch (error) {
      return toCopyProblem(error);
    }
    return new CopyProblem('cannot_load', 'the copy of it cannot be used', { cause });
  }
}

/** Compares names too, since a restored database assigns the same numbers again. */
function isSame(a: Activation, b: Activation | undefined): boolean {
  return a.number === b?.number && a.name === b.name;
}
