import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../../faults/load/asking.ts';
import { PROBES, type Probe } from '../attack.ts';
import { DiaryLog } from './diary-log.ts';
import type { Sample } from './samples.ts';

/** Each probe is due so often, whether the one before was answered or not: a service that hangs shows in all of them. */
const EVERY_MS = 50;
const TIMEOUT_MS = 30_000;
/** Maximum open requests, reached if the service hangs for long. */
const MAX_UNDER_WAY = 2_000;
const WORDS =
  'apple banana bread butter cheese chicken chocolate coffee cream egg fish honey juice milk oat rice'.split(
    ' ',
  );
/** Comes with Larder. */
const BARCODE = '747599322198';
const USER = 'careful';
const VERIFY_TRIES = 10;
const VERIFY_PAUSE_MS = 1_000;

export interface Verified {
  readonly checked: number;
  readonly problems: readonly string[];
}

/** A well-behaved client of another tenant. */
export class Victim {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #log = new DiaryLog();
  readonly #underWay = new Set<Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #samples: Sample[] = [];
  #asked = 0;

  constructor({ url, key }: { readonly url: string; readonly key: string }) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  }

  begin(): void {
    this.#samples = [];
    for (const probe of PROBES) this.#timers.push(setInterval(() => this.#probe(probe), EVERY_MS));
  }

  /** What was asked since it began, when all of it is answered or given up. */
  async end(): Promise<readonly Sample[]> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await Promise.all(this.#underWay);
    return this.#samples;
  }

  /** Reads back all that was ever confirmed. */
  async verify(): Promise<Verified> {
    const problems: string[] = [];
    for (const date of this.#log.dates) {
      const listed = await this.#list(date);
      problems.push(
        ...(listed === undefined ? [`${date} cannot be read`] : this.#log.problems(date, listed)),
      );
    }
    return { checked: this.#log.count, problems };
  }

  async #list(date: string): Promise<{ foodName: string }[] | undefined> {
    for (let tries = 0; tries < VERIFY_TRIES; tries++) {
      const { status, json } = await this.#ask(`/v1/users/${USER}/diary?date=${date}`);
      if (status === 200) return json;
      await pause(VERIFY_PAUSE_MS);
    }
    return undefined;
  }

  #probe(probe: Probe): void {
    if (this.#underWay.size >= MAX_UNDER_WAY) return;
    const dueAt = performance.now();
    const answered = this.#send(probe).then((status) => {
      this.#samples.push({ probe, ms: performance.now() - dueAt, status });
      this.#underWay.delete(answered);
    });
    this.#underWay.add(answered);
  }

  async #send(probe: Probe): Promise<number> {
    this.#asked++;
    if (probe === 'search') {
      const word = WORDS[this.#asked % WORDS.length]!;
      const other = WORDS[Math.floor(this.#asked / WORDS.length) % WORDS.length]!;
      return (
        await this.#ask(`/v1/foods/search?q=${word}+${other.slice(0, 3)}&limit=${5 + (this.#asked % 17)}`)
      ).status;
    }
    // A new connection each time.
    if (probe === 'barcode') {
      return (await this.#ask(`/v1/foods/barcode/${BARCODE}`, { connection: 'close' })).status;
    }
    if (probe === 'diary read') {
      return (await this.#ask(`/v1/users/${USER}/diary?date=${this.#log.dates.at(-1) ?? '2030-01-01'}`))
        .status;
    }
    return this.#write();
  }

  async #write(): Promise<number> {
    const meal = this.#log.next();
    const entry = { foodName: meal.mark, calories: 1, protein: 1, carbs: 1, fat: 1 };
    const body = JSON.stringify({ date: meal.date, mealType: 'lunch', ...entry });
    const { status } = await this.#ask(`/v1/users/${USER}/diary`, {}, body);
    if (status === 201) this.#log.confirm(meal);
    return status;
  }

  #ask(path: string, headers: Readonly<Record<string, string>> = {}, body?: string) {
    return ask(performanceClock, this.#url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...this.#headers, ...headers },
      timeoutMs: TIMEOUT_MS,
      ...(body !== undefined && { body }),
    });
  }
}

const performanceClock = { nowMs: () => performance.now() };
