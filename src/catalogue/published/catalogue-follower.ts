import { setTimeout as sleep } from 'node:timers/promises';
import type { ActiveCatalogueWatch } from '../compile/catalogue-store-types.ts';
import type { CatalogueCopies } from './catalogue-cache.ts';
import type { TakeCatalogue } from './catalogue-source.ts';
import type { CopyFetcher } from './fetch-catalogue.ts';
import { CopyProblem, type CopyProblemCode, toCopyProblem } from './fetch-problem.ts';
import type { Activation, CatalogueVersions } from './published-versions.ts';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;
/** Short, since what is away may be back at any moment, and asking costs little. */
const MAX_OUTAGE_RETRY_MS = 2_000;
const OUTAGES: readonly CopyProblemCode[] = ['store_unavailable', 'database_unavailable'];

/**
 * How long to wait after this many failures: exponential back-off with jitter of up to half the delay, so that nodes
 * that failed together do not come back together. `random` is from 0 to 1.
 */
export function retryDelayMs(code: CopyProblemCode, failures: number, random: number): number {
  const maxMs = OUTAGES.includes(code) ? MAX_OUTAGE_RETRY_MS : MAX_RETRY_MS;
  return Math.min(maxMs, FIRST_RETRY_MS * 2 ** (failures - 1)) * (1 - random / 2);
}

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
 * Makes a process answer from the version that is active in its cluster.
 *
 *     another one is active ──▶ a copy is here ──▶ taken ──▶ the next start begins with it
 *         ▲     (notified,          │    ▲           │
 *         │      or looked for)     ▼    │           ▼ refused: the copy is proved anew
 *         │                        fetch ┘         wait, longer each time, then once more
 *         │                         └── failed ──────▶┘
 *         └── ends whatever is under way for an older one
 *
 * Until then the process goes on with what it has.
 */
export class CatalogueFollower {
  readonly #ports: CatalogueFollowerPorts;
  #active: Activation | undefined;
  #served: string | undefined;
  #problem: CopyProblem | undefined;
  /** Switches the process to a catalogue; undefined until `watch`. */
  #take: TakeCatalogue | undefined;
  #onChange: () => void = () => {};
  #pursuit = new AbortController();
  #pursuing: Promise<void> = Promise.resolve();
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

  /** Hands the active version to `take` where it is not the one of `begin`, and then each later one. */
  watch(take: TakeCatalogue): ActiveCatalogueWatch {
    this.#take = take;
    this.#pursue();
    return { close: () => this.#stop() };
  }

  /** Checks at once which version is active, after a notification. */
  wake(): void {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#looking;
    await this.#pursuing;
  }

  #stop(): void {
    clearInterval(this.#polling);
    this.#take = undefined;
    this.#pursuit.abort();
  }

  async #look(): Promise<void> {
    const { versions, log } = this.#ports;
    try {
      const active = await versions.findActive();
      this.#isAway = false;
      if (active === undefined || isSame(active, this.#active)) return;
      this.#active = active;
      this.#pursue();
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
    const { copies, loadImage, log } = this.#ports;
    log.info({ catalogue: this.active }, 'fetching the active catalogue; nothing is answered before');
    const first = Promise.withResolvers<FirstCatalogue>();
    signal.addEventListener('abort', () => first.reject(signal.reason), { once: true });
    this.#take = async (name) => {
      first.resolve({ name, image: await loadImage(copies.pathOf(name)) });
      return undefined;
    };
    this.#pursue();
    const catalogue = await first.promise;
    this.#take = undefined;
    return catalogue;
  }

  /** Begins to fetch and take the active version, and gives up any older one. */
  #pursue(): void {
    this.#pursuit.abort();
    const [active, take] = [this.#active, this.#take];
    if (active === undefined || take === undefined) return;
    const pursuit = new AbortController();
    this.#pursuit = pursuit;
    this.#problem = undefined;
    this.#onChange();
    this.#pursuing = this.#pursuing.then(() => this.#attemptUntilTaken(active, take, pursuit.signal));
  }

  async #attemptUntilTaken({ name }: Activation, take: TakeCatalogue, signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted && name !== this.#served; failures++) {
      const problem = await this.#attempt(name, take, signal).then(() => undefined, toCopyProblem);
      if (problem === undefined) return this.#took(name);
      if (signal.aborted) return;
      this.#failed(name, problem);
      const delayMs = retryDelayMs(problem.code, failures, this.#ports.random());
      await sleep(delayMs, undefined, { signal }).catch(() => {});
    }
  }

  async #attempt(name: string, take: TakeCatalogue, signal: AbortSignal): Promise<void> {
    const { copies, fetcher } = this.#ports;
    if (!copies.has(name)) await fetcher.fetch(name, signal);
    signal.throwIfAborted();
    const refusal = await take(name).catch((error: Error) => error.message);
    if (refusal === undefined) return;
    fetcher.count('cannot_load');
    await fetcher.doubt(name);
    throw new CopyProblem('cannot_load', 'the copy of it cannot be used', { cause: new Error(refusal) });
  }

  async #took(name: string): Promise<void> {
    const { copies, log } = this.#ports;
    this.#served = name;
    this.#problem = undefined;
    this.#onChange();
    await copies
      .use(name)
      .catch((err) => log.warn({ err, catalogue: name }, 'the next start may begin with an older catalogue'));
  }

  /** Each kind of problem with one activation is logged once. */
  #failed(name: string, problem: CopyProblem): void {
    if (problem.code !== this.#problem?.code) {
      this.#ports.log.warn(
        { catalogue: name, problem: problem.code, err: problem },
        'the active catalogue is not answered from yet: it is tried again',
      );
    }
    this.#problem = problem;
    this.#onChange();
  }
}

/** Compares names too, since numbers are given out again after the database was restored. */
function isSame(a: Activation, b: Activation | undefined): boolean {
  return a.number === b?.number && a.name === b.name;
}
