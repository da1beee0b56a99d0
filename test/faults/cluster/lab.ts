import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Random } from '../../../bench/support/search-random.ts';
import { SCOPES } from '../../../src/access/scope.ts';
import { createKeyIssuer, openKeyStore } from '../../../src/compose/keys.ts';
import { openDatabase } from '../../../src/compose/modes.ts';
import { openShelf } from '../../../src/compose/shelf.ts';
import { readConfig } from '../../../src/config.ts';
import { MAX_OWN_LIMIT, OPERATIONS } from '../../../src/limits/operations.ts';
import { openRoundRobin, type RoundRobin } from '../../support/round-robin.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { startWorkerProcess, type WorkerProcess } from '../../support/worker-process.ts';
import { Audit } from './audit.ts';
import { type CatalogueNames, copyShelf, type Generation, shelveCatalogues } from './catalogues.ts';
import { makeProducts, type Product } from './products.ts';
import { openServers, type Servers } from './servers.ts';

const NODES = 3;
const WORKERS = 2;
const PRODUCTS = 40;
const SHELF = 'shelf';
const READY_POLL_MS = 50;

/** As small as they go: all of them share one machine with what they stand on. */
const SMALL = {
  LARDER_THREADS: '1',
  LARDER_SCAN_WORKERS: '0',
  LARDER_DISH_MODEL: 'none',
  LARDER_DATABASE_CONNECTIONS: '8',
};

interface LabParts {
  readonly opened: AsyncDisposableStack;
  readonly servers: Servers;
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly products: readonly Product[];
  readonly catalogues: CatalogueNames;
  readonly key: string;
}

/** A whole cluster on this machine: nodes behind a load balancer, workers, and all that they stand on. */
export class Lab implements AsyncDisposable {
  readonly servers: Servers;
  readonly products: readonly Product[];
  /** May do everything, as often as it likes. */
  readonly key: string;
  readonly audit: Audit;
  readonly nodes: ServiceProcess[] = [];
  readonly workers: WorkerProcess[] = [];
  readonly #parts: LabParts;
  #balancer: RoundRobin | undefined;

  static async open(random: Random): Promise<Lab> {
    await using opened = new AsyncDisposableStack();
    const { path: folder } = opened.use(tempFolder());
    const servers = opened.use(await openServers());
    const settings = { ...SMALL, ...servers.settings };
    const products = makeProducts(PRODUCTS, random);
    const catalogues = await shelveCatalogues(join(folder, SHELF), products);
    const key = await createKey({ ...settings, LARDER_DATA_DIR: join(folder, SHELF) });
    const lab = new Lab({ servers, settings, folder, products, catalogues, key, opened: opened.move() });
    try {
      await lab.#start();
    } catch (error) {
      await lab[Symbol.asyncDispose]();
      throw error;
    }
    return lab;
  }

  private constructor(parts: LabParts) {
    this.#parts = parts;
    this.servers = parts.servers;
    this.products = parts.products;
    this.key = parts.key;
    this.audit = new Audit(parts.servers);
  }

  /** Of the load balancer. */
  get url(): string {
    return this.#balancer!.url;
  }

  /** Resolves when it answers, and is asked by the load balancer from then on. */
  async startNode(at: number): Promise<void> {
    const settings = { ...this.#parts.settings, LARDER_DATA_DIR: this.#dataDir('node', at) };
    this.nodes[at] = await startServiceProcess(settings, undefined, false);
    this.#balancer?.use(this.nodes.map(({ url }) => url));
  }

  startWorker(at: number): void {
    const settings = { ...this.#parts.settings, LARDER_DATA_DIR: this.#dataDir('worker', at) };
    this.workers[at] = startWorkerProcess(settings, { args: ['--concurrency', '1'] });
  }

  /** Another catalogue comes into use everywhere; resolves when all nodes say so. */
  async useCatalogue(generation: Generation): Promise<void> {
    const name = this.#parts.catalogues[generation];
    const dataDirs = [
      ...this.nodes.map((_, at) => this.#dataDir('node', at)),
      ...this.workers.map((_, at) => this.#dataDir('worker', at)),
    ];
    await Promise.all(dataDirs.map((dataDir) => openShelf({ dataDir }).use(name)));
    await Promise.all(this.nodes.map((node) => untilServing(node, name)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#balancer?.[Symbol.asyncDispose]();
    await Promise.all([...this.nodes, ...this.workers].map((process) => process[Symbol.asyncDispose]()));
    await this.#parts.opened.disposeAsync();
  }

  async #start(): Promise<void> {
    const { folder } = this.#parts;
    for (let at = 0; at < NODES; at++) {
      copyShelf(join(folder, SHELF), this.#dataDir('node', at));
      await this.startNode(at);
    }
    await this.audit.begin();
    for (let at = 0; at < WORKERS; at++) {
      copyShelf(join(folder, SHELF), this.#dataDir('worker', at));
      this.startWorker(at);
    }
    this.#balancer = await openRoundRobin(this.nodes.map(({ url }) => url));
  }

  #dataDir(kind: 'node' | 'worker', at: number): string {
    return join(this.#parts.folder, `${kind}-${at}`);
  }
}

export async function kill({ child }: ServiceProcess | WorkerProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function createKey(settings: Readonly<Record<string, string>>): Promise<string> {
  const database = await openDatabase(readConfig(settings));
  try {
    const issuer = createKeyIssuer(openKeyStore(database));
    const limits = Object.fromEntries(OPERATIONS.map((operation) => [operation, MAX_OWN_LIMIT]));
    return (await issuer.create({ tenant: 'default', scopes: SCOPES, limits })).text;
  } finally {
    await database.close();
  }
}

async function untilServing({ url }: ServiceProcess, name: string): Promise<void> {
  const serving = async () => {
    const ready = (await (await fetch(`${url}/readyz`)).json()) as { catalogue: { name: string } };
    return ready.catalogue.name;
  };
  while ((await serving()) !== name) await setTimeout(READY_POLL_MS);
}
