import { setTimeout } from 'node:timers/promises';
import { ensureCatalogue, openCatalogueStore } from '../../../src/app/catalogue-store.ts';
import { addFoods } from '../../../src/foods/import/complete-foods.ts';
import { runLarder } from '../../support/run-larder.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { type Product, toFood } from './products.ts';

/** Catalogues that differ only in the brand of every product. */
const GENERATIONS = ['first', 'second', 'third'] as const;
export type Generation = (typeof GENERATIONS)[number];

/** Names of catalogues have a resolution of a second. */
const APART_MS = 1_000;
const SERVED_POLL_MS = 50;

/** The importing machine, which publishes and activates catalogues. */
export class Publisher {
  readonly #settings: Readonly<Record<string, string>>;
  readonly #names = new Map<Generation, string>();

  /** Its own data folder is `LARDER_DATA_DIR`. */
  constructor({ settings }: { readonly settings: Readonly<Record<string, string>> }) {
    this.#settings = settings;
  }

  /** All generations. */
  async publish(products: readonly Product[]): Promise<void> {
    const dataDir = this.#settings['LARDER_DATA_DIR']!;
    await ensureCatalogue({ dataDir, diskReserveMb: 0, meaning: 'off' });
    for (const [at, generation] of GENERATIONS.entries()) {
      const name = await addFoods({
        catalogueStore: openCatalogueStore({ dataDir, diskReserveMb: 0, meaning: 'off' }),
        origin: 'off',
        sources: [generation],
        foods: products.map((product) => toFood(product, generation)),
        nowMs: () => Date.now() + at * APART_MS,
      });
      this.#names.set(generation, name);
      await this.#larder('publish', name);
    }
  }

  async activate(generation: Generation): Promise<void> {
    await this.#larder('activate', this.#names.get(generation)!);
  }

  async rollBack(): Promise<void> {
    await this.#larder('rollback');
  }

  /** Resolves when all of these nodes serve it. */
  async untilServed(generation: Generation, nodes: readonly ServiceProcess[], key: string): Promise<void> {
    const checksum = this.#names.get(generation)!.split('-').at(-1);
    const headers = { authorization: `Bearer ${key}` };
    const isServed = async ({ url }: ServiceProcess) =>
      (await (await fetch(`${url}/metrics`, { headers })).text()).includes(
        `larder_catalogue_info{checksum="${checksum}"} 1\n`,
      );
    while (!(await Promise.all(nodes.map(isServed))).every(Boolean)) await setTimeout(SERVED_POLL_MS);
  }

  async #larder(...words: string[]): Promise<void> {
    await runLarder(this.#settings, 'catalogue', ...words, '--json');
  }
}
