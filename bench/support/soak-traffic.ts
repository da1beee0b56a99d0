import { setTimeout as pause } from 'node:timers/promises';
import { Larder, LarderError } from '#larder-client';
import { ean13Bars } from '../../test/support/barcode-bars.ts';
import { barcodePicture } from '../../test/support/barcode-picture.ts';
import type { Random } from './search-random.ts';

export const KINDS = [
  'search',
  'barcode',
  'diary write',
  'diary read',
  'food',
  'token',
  'scan',
  'refused',
] as const;
export type Kind = (typeof KINDS)[number];

/** Requests a second of each kind. */
const RATES: Readonly<Record<Kind, number>> = {
  search: 20,
  barcode: 20,
  'diary write': 10,
  'diary read': 10,
  food: 1,
  token: 1,
  scan: 0.5,
  refused: 0.5,
};
/**
 * Requests whose responses are cached. They are this many times as frequent while a service warms up, because
 * caches would otherwise fill for hours.
 */
const CACHED: ReadonlySet<Kind> = new Set(['search', 'barcode', 'diary read']);
const WARM_UP_FACTOR = 8;
const WORDS =
  'apple banana bread butter cheese chicken chocolate coffee cream egg fish honey juice milk oat'.split(' ');
/** A photo that is part of Larder. */
const BARCODE = '0747599322198';
const USERS = 200;
const FIRST_DAY = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;
const DAYS = 14;
/** Maximum stored entries, reached after some seven minutes. Then each new entry deletes the oldest. */
const MAX_ENTRIES = 4_000;
const SCAN_PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 50;
const TIMEOUT_MS = 30_000;

export interface TrafficOptions {
  readonly url: string;
  readonly key: string;
  readonly random: Random;
  /** `ok` if the response is the expected one. */
  readonly onAnswer: (kind: Kind, ms: number, ok: boolean) => void;
}

/**
 * Sends typical requests of apps, all kinds concurrently, until stopped. The number of stored objects soon
 * stays constant.
 */
export class Traffic {
  readonly #parts: TrafficOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #underWay = new Set<Promise<void>>();
  /** The existing entries, the oldest first. */
  readonly #entries: { readonly userId: string; readonly id: string }[] = [];
  readonly #larder: Larder;
  #picture!: Uint8Array<ArrayBuffer>;

  constructor(parts: TrafficOptions) {
    this.#parts = parts;
    const { url, key } = parts;
    this.#larder = new Larder({ url, key, timeoutMs: TIMEOUT_MS, maxRetries: 0 });
  }

  async start({ warmsUp = false } = {}): Promise<void> {
    const picture = await barcodePicture({ bars: ean13Bars(BARCODE) });
    this.#picture = new Uint8Array(await picture.png().toBuffer());
    for (const kind of KINDS) {
      this.#repeat(kind, warmsUp && CACHED.has(kind) ? WARM_UP_FACTOR * RATES[kind] : RATES[kind]);
    }
  }

  /** From here on each kind is requested at its own rate. */
  endWarmUp(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    for (const kind of KINDS) this.#repeat(kind, RATES[kind]);
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#underWay);
  }

  #repeat(kind: Kind, perSecond: number): void {
    this.#timers.push(setInterval(() => this.#ask(kind), 1_000 / perSecond));
  }

  #ask(kind: Kind): void {
    const dueAt = performance.now();
    const asked = this.#carryOut(kind)
      .catch(() => false)
      .then((ok) => {
        this.#parts.onAnswer(kind, performance.now() - dueAt, ok);
        this.#underWay.delete(asked);
      });
    this.#underWay.add(asked);
  }

  async #carryOut(kind: Kind): Promise<boolean> {
    const { random } = this.#parts;
    const { foods, tokens } = this.#larder;
    const userId = `user-${random.skewed(USERS)}`;
    const { diary } = this.#larder.user(userId);
    const date = new Date(FIRST_DAY + random.below(DAYS) * DAY_MS)
      .toISOString()
      .slice(0, 'YYYY-MM-DD'.length);
    switch (kind) {
      case 'search':
        await foods.search({
          q: `${random.pick(WORDS)} ${random.pick(WORDS).slice(0, 1 + random.below(4))}`,
        });
        return true;
      case 'barcode':
        await foods.byBarcode(BARCODE);
        return true;
      case 'diary read':
        await (random.below(2) === 0 ? diary.list({ date }) : diary.totals({ date }));
        return true;
      case 'diary write':
        return this.#entryComesAndOldestGoes(userId, date);
      case 'food':
        return this.#foodComesAndGoes();
      case 'token':
        await tokens.create({ userId: `user-${random.below(USERS)}` });
        return true;
      case 'scan':
        return this.#scan();
      case 'refused':
        return foods.search({ q: 'banana', limit: 0 }).then(
          () => false,
          (error) => error instanceof LarderError && error.code === 'invalid_query',
        );
    }
  }

  async #entryComesAndOldestGoes(userId: string, date: string): Promise<boolean> {
    const quantity = 1 + this.#parts.random.below(300);
    const food = { foodId: 'starter:banana', quantity, unit: 'g' };
    const { id } = await this.#larder.user(userId).diary.add({ date, mealType: 'lunch', ...food });
    this.#entries.push({ userId, id });
    if (this.#entries.length <= MAX_ENTRIES) return true;
    const oldest = this.#entries.shift()!;
    await this.#larder.user(oldest.userId).diary.remove(oldest.id);
    return true;
  }

  async #foodComesAndGoes(): Promise<boolean> {
    const { foods } = this.#larder;
    const macros = { energy: 50, protein: 1, fat: 1, carbohydrates: 10 };
    const name = `Jam ${this.#parts.random.below(1_000_000)}`;
    const { id } = await foods.add({ name, servingSize: { value: 20, unit: 'g' }, macros });
    await foods.remove(id);
    return true;
  }

  /** Measures from the first request to the result, polls more often than apps do, and deletes the job. */
  async #scan(): Promise<boolean> {
    const { scans } = this.#larder;
    const scan = await scans.create(this.#picture, { clientId: 'soak', contentType: 'image/png' });
    const giveUpAt = performance.now() + SCAN_PATIENCE_MS;
    for (;;) {
      const { status } = await scan.get();
      if (status === 'completed') break;
      if (status === 'failed' || performance.now() > giveUpAt) return false;
      await pause(ASK_EVERY_MS);
    }
    await scan.remove();
    return true;
  }
}
