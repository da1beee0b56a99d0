import { OperatorError } from '@larder/core/errors.ts';
import type { Logger } from 'pino';
import { Catalogue } from '../foods/catalogue/catalogue.ts';
import type { ActiveCatalogueWatch } from '../foods/compile/active-pointer.ts';
import { pauseUnlessAborted } from '../foods/published/catalogue-follower.ts';
import { CopyProblem, type CopyProblemCode } from '../foods/published/fetch-problem.ts';
import { NewestWins } from '../foods/published/newest-wins.ts';
import { type LoadedCatalogue, REFUSED, type ServiceStatus } from '../http/operations/health.ts';
import type { ProcessMetrics } from '../http/operations/process-metrics.ts';
import type { CatalogueUpdates } from './catalogue-source.ts';

export interface ServedCatalogueParts {
  readonly updates: CatalogueUpdates;
  /** Resolves when all API threads answer from this catalogue, which was verified. */
  readonly share?: (image: SharedArrayBuffer) => Promise<void>;
  readonly metrics?: ProcessMetrics | undefined;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Called when `status` has changed. */
  readonly onChange?: () => void;
}

type Status = Pick<ServiceStatus, 'catalogue' | 'catalogueProblem' | 'following'>;

/**
 * The catalogue that a process answers from, in a service as in a worker: the newest one that it can use. Where one cannot be
 * used the one before stays, and it is tried again until another one is wanted.
 */
export class ServedCatalogue {
  readonly #parts: ServedCatalogueParts;
  #current: Catalogue | undefined;
  #newest: NewestWins<SharedArrayBuffer> | undefined;
  #watch: ActiveCatalogueWatch | undefined;
  #loaded: LoadedCatalogue | undefined;
  /** Why the newest one was refused. It names files, so only the log has it. */
  #refusal: string | undefined;

  constructor(parts: ServedCatalogueParts) {
    this.#parts = parts;
    const { following } = parts.updates;
    if (following !== undefined) parts.metrics?.watchFollowing(following);
  }

  /** Undefined until `begin` is done. */
  get current(): Catalogue | undefined {
    return this.#current;
  }

  /** What health tells of it. */
  get status(): Status {
    const { active, problem } = this.#parts.updates.following ?? {};
    return {
      ...(this.#loaded && { catalogue: this.#loaded }),
      catalogueProblem: this.#refusal === undefined ? undefined : REFUSED,
      following: active === undefined ? undefined : { active, problem: problem?.message },
    };
  }

  /** Loads the catalogue to begin with. Throws an `OperatorError` where there is none that can be used. */
  async begin(): Promise<LoadedCatalogue> {
    const { source } = this.#parts.updates;
    const name = await source.current();
    if (name === undefined) throw new OperatorError('There is no catalogue yet; import one first.');
    return this.#use(await source.load(name, NEVER), name);
  }

  /** Answers from each later one as soon as it can be used. */
  follow(): void {
    const { updates, log, onChange = () => {} } = this.#parts;
    const { source, following } = updates;
    const newest = new NewestWins<SharedArrayBuffer>(
      {
        load: (name, signal) => source.load(name, signal),
        use: async (image, name) => {
          const catalogue = await this.#use(image, name);
          this.#refusal = undefined;
          log.info({ catalogue }, 'answering from another catalogue');
          await source.taken(name);
          onChange();
        },
        failed: (name, error) => this.#failed(name, error),
        pause: pauseUnlessAborted,
        random: Math.random,
      },
      this.#loaded!.name,
    );
    this.#newest = newest;
    following?.onChange(onChange);
    this.#watch = source.watch(this.#loaded!.name, (name) => newest.want(name));
  }

  async close(): Promise<void> {
    this.#watch?.close();
    await this.#newest?.close();
  }

  async #use(image: SharedArrayBuffer, name: string): Promise<LoadedCatalogue> {
    const { share, metrics } = this.#parts;
    const catalogue = Catalogue.open(image);
    await share?.(image);
    this.#current = catalogue;
    metrics?.catalogueLoaded(catalogue.info);
    const { foods, checksum } = catalogue.info;
    this.#loaded = { name, foods, checksum };
    return this.#loaded;
  }

  async #failed(name: string, error: unknown): Promise<CopyProblemCode> {
    const { updates, metrics, log, onChange = () => {} } = this.#parts;
    // A catalogue that could not be fetched is not refused yet; the source tells of it.
    if (!(error instanceof CopyProblem)) {
      const reason = error instanceof OperatorError ? error.message : 'it could not be loaded';
      // It is tried again, and told once.
      if (reason !== this.#refusal) {
        metrics?.catalogueRefused();
        log.error({ err: error, catalogue: name }, 'a catalogue was refused, the one before keeps serving');
      }
      this.#refusal = reason;
      onChange();
    }
    return updates.source.failed(name, error);
  }
}

const NEVER = new AbortController().signal;
