import { setTimeout as sleep } from 'node:timers/promises';
import type { ActiveCatalogueWatch } from '../compile/active-pointer.ts';
import type { CatalogueCopies } from './catalogue-cache.ts';
import type { CatalogueVersions } from './catalogue-versions.ts';
import type { CopyFetcher } from './fetch-catalogue.ts';
import { CopyProblem, type CopyProblemCode, toCopyProblem } from './fetch-problem.ts';
import { NewestWins } from './newest-wins.ts';
import type { Activation } from './published-versions.ts';

/** How often to check which version is active, in case a notification gets lost. */
const POLL_MS = 1_000;

export interface CatalogueFollowerPorts {
  readonly versions: Pick<CatalogueVersions, 'findActive'>;
  readonly fetcher: CopyFetcher;
  readonly copies: CatalogueCopies;
  /** Reads and checks a catalogue file; throws for one that cannot be used. */
  readonly loadImage: (file: string) => Promise<SharedArrayBuffer>;
  readonly random: () => number;
  readonly log: {
    info(facts: object, message: string): void;
    warn(facts: object, message: string): void;
  };
}

export interface FirstCatalogue {
  readonly name: string;
  readonly image: SharedArrayBuffer;
}

/**
 * Follows which version is active in the cluster, keeps a copy of it on this machine, and knows why the process does not answer
 * from it yet. `NewestWins` calls `load`, then `taken` or `failed`.
 *
 *     another one is active ──▶ told to the process ──▶ load: a copy is here, or is fetched ──▶ taken: the next start begins
 *      (notified, or polled)                              ▲                                           with it
 *                                                         └── failed: the copy is verified anew
 */
export class CatalogueFollower {
  readonly #ports: CatalogueFollowerPorts;
  #active: Activation | undefined;
  #served: string | undefined;
  #problem: CopyProblem | undefined;
  #onActive: (name: string) => void = () => {};
  #onChange: () => void = () => {};
  #polling: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isAway = false;

  constructor(ports: CatalogueFollowerPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves with the catalogue to begin with: a local copy, even of an older version, and otherwise the active version as
   * soon as it could be fetched. Undefined where none was ever activated. Throws the reason of `signal` where that is
   * aborted before.
   */
  async begin(signal: AbortSignal): Promise<FirstCatalogue | undefined> {
    this.#active = await this.#ports.versions.findActive();
    this.#polling = setInterval(() => this.wake(), POLL_MS).unref();
    if (this.#active === undefined) return undefined;
    return (await this.#loadCopy(this.#active.name)) ?? (await this.#fetchFirst(signal));
  }

  /** Name of the active version; undefined where none was ever activated. */
  get active(): string | undefined {
    return this.#active?.name;
  }

  /** Why the process could not switch to the active version; undefined where it has not failed. */
  get problem(): CopyProblem | undefined {
    return this.#problem;
  }

  /** Whether the process answers from another version than the active one. */
  get isBehind(): boolean {
    return this.#active !== undefined && this.#active.name !== this.#served;
  }

  /** Attempts to get a copy, by how they ended: `fetched`, or the code of the problem. */
  get fetches(): ReadonlyMap<string, number> {
    return this.#ports.fetcher.results;
  }

  /** Calls `listener` when `active`, `problem` or `isBehind` may have changed. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Calls `onActive` with the active version where it is not the one of `begin`, and then with each later one. */
  watch(onActive: (name: string) => void): ActiveCatalogueWatch {
    this.#onActive = onActive;
    if (this.#active !== undefined && this.isBehind) onActive(this.#active.name);
    return {
      close: () => {
        this.#onActive = () => {};
      },
    };
  }

  /** Reads and verifies the copy of this version, which is fetched where there is none. Throws a `CopyProblem` for a failed fetch. */
  async load(name: string, signal: AbortSignal): Promise<SharedArrayBuffer> {
    const { copies, fetcher, loadImage } = this.#ports;
    if (!copies.has(name)) await fetcher.fetch(name, signal);
    signal.throwIfAborted();
    return loadImage(copies.pathOf(name));
  }

  /** The process answers from this version. */
  async taken(name: string): Promise<void> {
    const { copies, log } = this.#ports;
    this.#served = name;
    this.#problem = undefined;
    this.#onChange();
    await copies
      .use(name)
      .catch((err) => log.warn({ err, catalogue: name }, 'the next start may begin with an older catalogue'));
  }

  /** This version could not be fetched, loaded or used. Each kind of problem with one activation is logged once. */
  async failed(name: string, error: unknown): Promise<CopyProblemCode> {
    const problem = error instanceof CopyProblem ? error : await this.#doubt(name, error);
    if (problem.code !== this.#problem?.code) {
      this.#ports.log.warn(
        { catalogue: name, problem: problem.code, err: problem },
        'the active catalogue is not answered from yet: it is tried again',
      );
    }
    this.#problem = problem;
    this.#onChange();
    return problem.code;
  }

  /** Checks at once which version is active, after a notification. */
  wake(): void {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#polling);
    this.#onActive = () => {};
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { versions, log } = this.#ports;
    try {
      const active = await versions.findActive();
      this.#isAway = false;
      if (active === undefined || isSame(active, this.#active)) return;
      this.#active = active;
      this.#problem = undefined;
      this.#onChange();
      this.#onActive(active.name);
    } catch (err) {
      if (!this.#isAway)
        log.warn({ err }, 'which catalogue is active cannot be read; the last known one stays');
      this.#isAway = true;
    }
  }

  /** A copy of this version or, failing that, of the one that was in use last. */
  async #loadCopy(name: string): Promise<FirstCatalogue | undefined> {
    const { copies, fetcher, loadImage, log } = this.#ports;
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

  async #fetchFirst(signal: AbortSignal): Promise<FirstCatalogue> {
    signal.throwIfAborted();
    const { random, log } = this.#ports;
    log.info({ catalogue: this.active }, 'fetching the active catalogue; nothing is answered before');
    const first = Promise.withResolvers<FirstCatalogue>();
    signal.addEventListener('abort', () => first.reject(signal.reason), { once: true });
    const newest = new NewestWins<SharedArrayBuffer>({
      load: (name, aborted) => this.load(name, aborted),
      async use(image, name) {
        first.resolve({ name, image });
      },
      failed: (name, error) => this.failed(name, error),
      pause: pauseUnlessAborted,
      random,
    });
    const watch = this.watch((name) => newest.want(name));
    try {
      const catalogue = await first.promise;
      await this.taken(catalogue.name);
      return catalogue;
    } finally {
      watch.close();
      await newest.close();
    }
  }

  /** Has the copy verified part by part before its next use. */
  async #doubt(name: string, cause: unknown): Promise<CopyProblem> {
    const { fetcher } = this.#ports;
    fetcher.count('cannot_load');
    try {
      await fetcher.doubt(name);
    } catch (error) {
      return toCopyProblem(error);
    }
    return new CopyProblem('cannot_load', 'the copy of it cannot be used', { cause });
  }
}

/** A pause of `NewestWins`. */
export async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** Compares names too, since numbers are given out again after the database was restored. */
function isSame(a: Activation, b: Activation | undefined): boolean {
  return a.number === b?.number && a.name === b.name;
}
