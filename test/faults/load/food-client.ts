import { setTimeout } from 'node:timers/promises';
import { ask, noted } from './asking.ts';
import type { ClientOptions } from './client.ts';

/** Time limit for searches and barcodes, after which they count as failed. */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 30;

/** Searches products by their names, or looks them up by their barcodes. */
export async function askForFoods(kind: 'search' | 'barcode', parts: ClientOptions): Promise<void> {
  const { name: client, url, key, history, random, products, signal } = parts;
  while (!signal.aborted) {
    const { id, word, barcode } = random.pick(products);
    const path = kind === 'search' ? `/v1/foods/search?q=${word}&limit=3` : `/v1/foods/barcode/${barcode}`;
    const headers = { authorization: `Bearer ${key}` };
    const asked = await ask(history, url + path, { headers, timeoutMs: PATIENCE_MS });
    const food = kind === 'search' ? asked.json?.[0] : asked.json;
    history.note({
      kind,
      ...noted(client, asked),
      product: id,
      ...(food?.id !== undefined && { found: food.id, generation: food.brand }),
    });
    await setTimeout(PAUSE_MS);
  }
}
