import type { Claim } from '../../src/scan/jobs/scan-queue.ts';
import type { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import type { NewScan, ScanFailure, ScanId } from '../../src/scan/scan-job.ts';
import { ANY_NUMBER, newScan } from './new-scan.ts';

/** One of a few tenants, and one of its users. */
export interface Owner {
  readonly tenant: number;
  readonly user: number;
}

export type QueueStep =
  | { readonly kind: 'arrive'; readonly by: Owner; readonly count: number }
  | { readonly kind: 'claim' }
  /** What happens to a held job; `forget`: its lease ends. */
  | {
      readonly kind: 'end';
      readonly how: 'settle' | 'release' | 'giveBack' | 'forget' | 'remove';
      readonly which: number;
    }
  /** Removes a waiting job. */
  | { readonly kind: 'remove'; readonly by: Owner };

interface Waiting {
  readonly scan: NewScan;
  /** First claims of others since this job is its owner's next. */
  readonly passedBy: { readonly tenant: string; readonly userId: string | undefined }[];
}

const LEASE_MS = 30_000;
const TENANTS = 3;
const USERS = 4;
const MAX_ATTEMPTS = 1_000;
const FAILURE: ScanFailure = { code: 'no_food_detected', message: 'Nothing.', retryable: false };

/** Sends jobs to a store, claims them, and records unfair claims. */
export class QueueUnderLoad {
  /** Recorded unfair claims. */
  readonly unfair: string[] = [];
  readonly #stores: readonly ScanStore[];
  /** Unclaimed jobs by owner, the oldest first. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #held: Claim[] = [];
  readonly #retried = new Set<ScanId>();
  /** Retries by tenant. */
  readonly #retriedBy = new Map<string, number>();
  readonly #finished = new Set<ScanId>();
  #nowMs = 2_000;
  #steps = 0;

  constructor({ store, other }: { readonly store: ScanStore; readonly other: ScanStore }) {
    this.#stores = [store, other];
  }

  get left(): readonly ScanId[] {
    return [...this.#waiting.values()].flat().map(({ scan }) => scan.id);
  }

  async take(step: QueueStep): Promise<void> {
    this.#nowMs++;
    if (step.kind === 'arrive') await this.#arrive(step.by, step.count);
    else if (step.kind === 'claim') await this.#claim();
    else if (step.kind === 'end') await this.#end(step.how, step.which);
    else await this.#remove(step.by);
  }

  /** Claims and settles all remaining jobs. */
  async drain(): Promise<void> {
    do {
      while (this.#held.length > 0) await this.#end('settle', 0);
      this.#nowMs += LEASE_MS;
    } while (await this.#claim());
  }

  get #store(): ScanStore {
    return this.#stores[this.#steps++ % this.#stores.length]!;
  }

  async #arrive(by: Owner, count: number): Promise<void> {
    const tenant = `tenant-${by.tenant}`;
    const userId = by.user === 0 ? undefined : `user-${by.user}`;
    const own = this.#ofOwner({ tenant, userId });
    for (let index = 0; index < count; index++) {
      const scan = newScan({ tenant, ...(userId !== undefined && { userId }) });
      await this.#store.create(scan, ANY_NUMBER);
      await this.#store.arrive(scan, { nowMs: this.#nowMs++ });
      own.push({ scan, passedBy: [] });
    }
  }

  #ofOwner({ tenant, userId }: Pick<NewScan, 'tenant'> & { userId?: string | undefined }): Waiting[] {
    const key = `${tenant}/${userId}`;
    const own = this.#waiting.get(key) ?? [];
    this.#waiting.set(key, own);
    return own;
  }

  async #claim(): Promise<boolean> {
    const nowMs = this.#nowMs;
    const claimed = await this.#store.claim({
      nowMs,
      leaseUntilMs: nowMs + LEASE_MS,
      maxAttempts: MAX_ATTEMPTS,
    });
    if (claimed === undefined) return false;
    const { job, fencingToken } = claimed;
    if (this.#held.some(({ id }) => id === job.id)) this.unfair.push(`${job.id} is held twice`);
    if (this.#finished.has(job.id)) this.unfair.push(`${job.id} was finished`);
    this.#held.push({ ...job, fencingToken });
    if (!this.#retried.has(job.id)) this.#note(job);
    return true;
  }

  /** The first claim of a job. */
  #note(job: NewScan): void {
    const own = this.#ofOwner({ tenant: job.tenant, userId: job.userId });
    const at = own.findIndex(({ scan }) => scan.id === job.id);
    if (at !== 0) this.unfair.push(`${job.id} was number ${at} of its owner`);
    const [claimed] = own.splice(Math.max(at, 0), 1);
    if (claimed !== undefined) this.#judge(claimed);
    for (const [next] of this.#waiting.values()) {
      next?.passedBy.push({ tenant: job.tenant, userId: job.userId });
    }
  }

  /**
   * A tenant's turn comes after one of each other tenant, and a user's after one of each other user. Jobs waiting for
   * a retry keep turns of their tenant, which other jobs of that tenant may use.
   */
  #judge({ scan, passedBy }: Waiting): void {
    const slack = 2 + (this.#retriedBy.get(scan.tenant) ?? 0);
    const fromTenant = passedBy.filter(({ tenant }) => tenant === scan.tenant);
    for (let user = 0; user < USERS; user++) {
      const userId = user === 0 ? undefined : `user-${user}`;
      const count = fromTenant.filter((each) => each.userId === userId).length;
      if (count > slack) this.unfair.push(`${count} jobs of ${userId} passed ${scan.id} of ${scan.userId}`);
    }
    for (let index = 0; index < TENANTS; index++) {
      const tenant = `tenant-${index}`;
      if (tenant === scan.tenant) continue;
      const count = passedBy.filter((each) => each.tenant === tenant).length;
      if (count > fromTenant.length + slack + (this.#retriedBy.get(tenant) ?? 0)) {
        this.unfair.push(`${count} jobs of ${tenant} passed ${scan.id} of ${scan.tenant}`);
      }
    }
  }

  async #end(how: Extract<QueueStep, { kind: 'end' }>['how'], which: number): Promise<void> {
    if (this.#held.length === 0) return;
    const [held] = this.#held.splice(which % this.#held.length, 1) as [Claim];
    if (how === 'forget') {
      this.#nowMs += LEASE_MS;
      for (const each of [held, ...this.#held.splice(0)]) this.#retry(each);
      return;
    }
    const store = this.#store;
    if (how === 'settle' || how === 'remove') this.#finished.add(held.id);
    else this.#retry(held);
    const isDone = await {
      settle: () => store.settle(held, { failure: FAILURE }, this.#nowMs),
      release: () => store.release(held, this.#nowMs + 20),
      giveBack: () => store.giveBack(held, this.#nowMs + 20),
      remove: () => store.remove(held),
    }[how]();
    if (!isDone) this.unfair.push(`${held.id} was held, and could not be ended by ${how}`);
  }

  #retry({ tenant, id }: Claim): void {
    this.#retried.add(id);
    this.#retriedBy.set(tenant, (this.#retriedBy.get(tenant) ?? 0) + 1);
  }

  async #remove({ tenant, user }: Owner): Promise<void> {
    const [first] = this.#ofOwner({
      tenant: `tenant-${tenant}`,
      userId: user === 0 ? undefined : `user-${user}`,
    }).splice(0, 1);
    if (first === undefined) return;
    await this.#store.remove(first.scan);
    this.#finished.add(first.scan.id);
  }
}
