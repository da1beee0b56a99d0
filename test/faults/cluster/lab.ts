import { once } from 'node:events';
import { join } from 'node:path';
import type { Random } from '../../../bench/support/search-random.ts';
import { SCOPES } from '../../../src/access/api-key.ts';
import { LIMITED_OPERATIONS, MAX_OWN_LIMIT } from '../../../src/limits/operations.ts';
import { openRoundRobin, type RoundRobin } from '../../support/round-robin.ts';
import { runLarder } from '../../support/run-larder.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { startWorkerProcess, type WorkerProcess } from '../../support/worker-process.ts';
import { Audit } from './audit.ts';
import { type Generation, Publisher } from './catalogues.ts';
import { makeProducts, type Product } from './products.ts';
import { openServers, type Servers } from './servers.ts';

const NODES = 3;
const WORKERS = 2;
const PRODUCTS = 40;

/** Minimal settings, because all share one machine with their servers. */
const SMALL = {
  LARDER_THREADS: '1',
  LARDER_SCAN_WORKERS: '0',
  LARDER_DISH_MODEL: 'none',
  LARDER_DATABASE_CONNECTIONS: '8',
};

/** Health checks of the load balancer. Nodes share two processors, and a healthy one may be slow. */
const HEALTH_CHECKS = { path: '/healthz', everyMs: 1_500, timeoutMs: 2_000 };

interface LabOptions {
  readonly opened: AsyncDisposableStack;
  readonly servers: Servers;
  /** Returns the settings of the process with this name. */
  readonly settingsOf: (name: string) => Readonly<Record<string, string>>;
  readonly products: readonly Product[];
  readonly publisher: Publisher;
  readonly key: string;
}

/** A whole cluster on this machine: nodes behind a load balancer, workers and servers. */
export class Lab implements AsyncDisposable {
  readonly servers: Servers;
  readonly products: readonly Product[];
  readonly publisher: Publisher;
  /** API key with all scopes and practically no limits. */
  readonly key: string;
  readonly audit: Audit;
  /** Processes that ended without being killed, with their last output. */
  readonly deaths: string[] = [];
  readonly nodes: ServiceProcess[] = [];
  readonly workers: WorkerProcess[] = [];
  readonly #parts: LabOptions;
  readonly #killed = new Set<Process>();
  #balancer: RoundRobin | undefined;
  #isClosed = false;

  /** The first generation of the catalogue is active then. */
  static async open(random: Random): Promise<Lab> {
    await using opened = new AsyncDisposableStack();
    const folder = opened.use(tempFolder());
    const servers = opened.use(await openServers());
    const settingsOf = (name: string) => ({
      ...SMALL,
      ...servers.settings,
      LARDER_DATA_DIR: join(folder.path, name),
    });
    const settings = settingsOf('publisher');
    const products = makeProducts(PRODUCTS, random);
    const publisher = new Publisher({ settings });
    await publisher.publish(products);
    await publisher.activate('first');
    const key = await createKey(settings);
    const lab = new Lab({ servers, settingsOf, products, publisher, key, opened: opened.move() });
    try {
      await lab.#start();
    } catch (error) {
      await lab[Symbol.asyncDispose]();
      throw error;
    }
    return lab;
  }

  private constructor(parts: LabOptions) {
    this.#parts = parts;
    this.servers = parts.servers;
    this.products = parts.products;
    this.publisher = parts.publisher;
    this.key = parts.key;
    this.audit = new Audit(parts.servers);
  }

  /** URL of the load balancer. */
  get url(): string {
    return this.#balancer!.url;
  }

  /** Resolves when the node answers and is in the load balancer. */
  async startNode(at: number): Promise<void> {
    const node = await startServiceProcess(this.#parts.settingsOf(`node-${at}`), undefined, false);
    this.#guard(`node ${at}`, node);
    this.nodes[at] = node;
    this.#balancer?.use(this.nodes.map(({ url }) => url));
  }

  /** Resolves when the worker works. */
  async startWorker(at: number): Promise<void> {
    const worker = startWorkerProcess(this.#parts.settingsOf(`worker-${at}`), {
      args: ['--concurrency', '1'],
    });
    this.#guard(`worker ${at}`, worker);
    this.workers[at] = worker;
    await Promise.race([worker.started, worker.ended]);
  }

  async kill(process: Process): Promise<void> {
    this.#killed.add(process);
    const exited = once(process.child, 'exit');
    process.child.kill('SIGKILL');
    await exited;
  }

  /** Resolves when all nodes answer from this catalogue. */
  untilServed(generation: Generation): Promise<void> {
    return this.publisher.untilServed(generation, this.nodes, this.key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#balancer?.[Symbol.asyncDispose]();
    await Promise.all([...this.nodes, ...this.workers].map((process) => process[Symbol.asyncDispose]()));
    await this.#parts.opened.disposeAsync();
  }

  async #start(): Promise<void> {
    await this.audit.begin();
    for (let at = 0; at < NODES; at++) await this.startNode(at);
    for (let at = 0; at < WORKERS; at++) await this.startWorker(at);
    this.#balancer = await openRoundRobin(
      this.nodes.map(({ url }) => url),
      HEALTH_CHECKS,
    );
  }

  #guard(name: string, process: Process): void {
    process.child.once('exit', (code, signal) => {
      if (this.#isClosed || this.#killed.has(process)) return;
      this.deaths.push(`${name} ended with ${signal ?? code}: ${process.err.join('\n')}`);
    });
  }
}

type Process = ServiceProcess | WorkerProcess;

async function createKey(settings: Readonly<Record<string, string>>): Promise<string> {
  const limits = LIMITED_OPERATIONS.map((operation) => `${operation}=${MAX_OWN_LIMIT}`).join();
  const words = ['--tenant', 'default', '--scopes', SCOPES.join(), '--limits', limits, '--json'];
  return JSON.parse(await runLarder(settings, 'key', 'create', ...words)).key;
}
