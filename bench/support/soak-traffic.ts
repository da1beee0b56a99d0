import { setTimeout as pause } from 'node:timers/promises';
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

/** How often a second each is asked for. */
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
/** What responses are cached of. Asked for so many times as often while a service warms up, or caches would fill for hours. */
const CACHED: ReadonlySet<Kind> = new Set(['search', 'barcode', 'diary read']);
const WARM_UP_FACTOR = 8;
const WORDS =
  'apple banana bread butter cheese chicken chocolate coffee cream egg fish honey juice milk oat'.split(' ');
/** Comes with Larder. */
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
const JSON_BODY = { 'content-type': 'application/json' };

export interface TrafficOptions {
  readonly url: string;
  readonly key: string;
  readonly random: Random;
  /** `ok` if the response is the expected one. */
  readonly onAnswer: (kind: Kind, ms: number, ok: boolean) => void;
}

/** Typical requests of apps, all kinds concurrently, until stopped. What is stored soon stays as much. */
export class Traffic {
  readonly #parts: TrafficOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #underWay = new Set<Promise<void>>();
  /** Addresses of the entries that there are, the oldest first. */
  readonly #entries: string[] = [];
  #picture!: Uint8Array<ArrayBuffer>;

  constructor(parts: TrafficOptions) {
    this.#parts = parts;
  }

  async start({ warmsUp = false } = {}): Promise<void> {
    const picture = await barcodePicture({ bars: ean13Bars(BARCODE) });
    this.#picture = new Uint8Array(await picture.png().toBuffer());
    for (const kind of KINDS) {
      this.#repeat(kind, warmsUp && CACHED.has(kind) ? WARM_UP_FACTOR * RATES[kind] : RATES[kind]);
    }
  }

  /** From now on every kind is asked for at its own rate. */
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
    const user = `/v1/users/user-${random.skewed(USERS)}`;
    const date = new Date(FIRST_DAY + random.below(DAYS) * DAY_MS)
      .toISOString()
      .slice(0, 'YYYY-MM-DD'.length);
    switch (kind) {
      case 'search':
        return (
          await this.#send(
            `/v1/foods/search?q=${random.pick(WORDS)}+${random.pick(WORDS).slice(0, 1 + random.below(4))}`,
          )
        ).ok;
      case 'barcode':
        return (await this.#send(`/v1/foods/barcode/${BARCODE}`)).ok;
      case 'diary read':
        return (await this.#send(`${user}/diary${random.below(2) === 0 ? '' : '/totals'}?date=${date}`)).ok;
      case 'diary write': {
        const entry = {
          date,
          mealType: 'lunch',
          foodId: 'starter:banana',
          quantity: 1 + random.below(300),
          unit: 'g',
        };
        return this.#entryComesAndOldestGoes(`${user}/diary`, entry);
      }
      case 'food':
        return this.#foodComesAndGoes();
      case 'token': {
        const token = { client_secret: this.#parts.key, user_id: `user-${random.below(USERS)}` };
        return (await this.#send('/v1/auth/token', 'POST', token)).ok;
      }
      case 'scan':
        return this.#scan();
      case 'refused':
        return (await this.#send('/v1/foods/search?q=banana&limit=0')).status === 400;
    }
  }

  async #entryComesAndOldestGoes(diary: string, entry: object): Promise<boolean> {
    const created = await this.#send(diary, 'POST', entry);
    const { id } = (await created.json()) as { id: string };
    this.#entries.push(`${diary}/${id}`);
    if (this.#entries.length <= MAX_ENTRIES) return created.status === 201;
    return (await this.#send(this.#entries.shift()!, 'DELETE')).status === 204;
  }

  async #foodComesAndGoes(): Promise<boolean> {
    const macros = { energy: 50, protein: 1, fat: 1, carbohydrates: 10 };
    const name = `Jam ${this.#parts.random.below(1_000_000)}`;
    const created = await this.#send('/v1/foods', 'POST', {
      name,
      servingSize: { value: 20, unit: 'g' },
      macros,
    });
    const { id } = (await created.json()) as { id: string };
    return (await this.#send(`/v1/foods/${encodeURIComponent(id)}`, 'DELETE')).status === 204;
  }

  /** From the first request to the result; its job is deleted afterwards. */
  async #scan(): Promise<boolean> {
    const created = await this.#send('/v1/scan/image', 'POST', {
      clientId: 'soak',
      contentType: 'image/png',
    });
    const { jobId, uploadUrl } = (await created.json()) as { jobId: string; uploadUrl: string };
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: this.#picture });
    const giveUpAt = performance.now() + SCAN_PATIENCE_MS;
    for (;;) {
      const { status } = (await (await this.#send(`/v1/scan/image/${jobId}`)).json()) as { status: string };
      if (status === 'completed') break;
      if (status === 'failed' || performance.now() > giveUpAt) return false;
      await pause(ASK_EVERY_MS);
    }
    return (await this.#send(`/v1/scan/image/${jobId}`, 'DELETE')).status === 204;
  }

  async #send(path: string, method = 'GET', body?: object): Promise<Response> {
    const answer = await fetch(this.#parts.url + path, {
      method,
      headers: { authorization: `Bearer ${this.#parts.key}`, ...(body && JSON_BODY) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    // Read completely, so that the connection is free again; callers read the copy.
    const copy = answer.clone();
    await answer.arrayBuffer();
    return copy;
  }
}
