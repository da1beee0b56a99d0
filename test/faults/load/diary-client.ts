import { setTimeout } from 'node:timers/promises';
import type { AddRecord } from '../history-record.ts';
import { type Asked, ask, noted, type Question } from './asking.ts';
import type { ClientOptions } from './client.ts';
import type { DiaryUser, KnownEntry, NamedAddition } from './diary-user.ts';

const PAUSE_MS = 40;
const MAX_BATCH = 6;
const MAX_LAST_TRIES = 100;
const AMOUNTS = { calories: 1, protein: 0, carbs: 0, fat: 0 };

interface DiaryOptions extends ClientOptions {
  readonly user: DiaryUser;
}

/** One device of a user: writes, changes, removes and reads entries, as fast as people with several phones could. */
export class DiaryDevice {
  readonly #parts: DiaryOptions;

  constructor(parts: DiaryOptions) {
    this.#parts = parts;
  }

  /** At the end all repeatable additions are confirmed. */
  async work(): Promise<void> {
    const { signal, user } = this.#parts;
    while (!signal.aborted) {
      await this.#step();
      await setTimeout(PAUSE_MS);
    }
    for (let left = MAX_LAST_TRIES; left > 0 && user.unanswered.length > 0; left--) {
      await this.#addNamed(user.unanswered.shift()!);
      await setTimeout(PAUSE_MS);
    }
  }

  async list(date: string, url = this.#parts.url): Promise<void> {
    const { name, user, history } = this.#parts;
    const asked = await this.#ask(`?date=${date}`, {}, url);
    const entries = asked.status === 200 ? toSeen(asked.json) : undefined;
    history.note({
      kind: 'list',
      ...noted(name, asked),
      diary: `${user.id} ${date}`,
      ...(entries !== undefined && { entries }),
    });
  }

  #step(): Promise<unknown> {
    const { random, user } = this.#parts;
    const unanswered = user.unanswered.shift();
    if (unanswered !== undefined) return this.#addNamed(unanswered);
    const chance = random.next();
    if (chance < 0.15) return this.#add(this.#newAddition(1, false));
    if (chance < 0.22) return this.#add(this.#newAddition(2 + random.below(MAX_BATCH - 1), true));
    if (chance < 0.32) return this.#addNamed(this.#newAddition(1, false));
    if (chance < 0.37) return this.#addTwins(this.#newAddition(2 + random.below(MAX_BATCH - 1), true));
    const answered = user.pickAnswered(random);
    if (chance < 0.47 && answered !== undefined) return this.#addNamed(answered);
    const entry = user.pickEntry(random);
    if (chance < 0.65 && entry !== undefined) return this.#change(entry);
    if (chance < 0.72 && entry !== undefined) return this.#remove(entry);
    if (chance < 0.82 && entry !== undefined) return this.#read(entry);
    return chance < 0.9 ? this.#totals(user.date) : this.list(user.date);
  }

  #newAddition(count: number, isBatch: boolean): NamedAddition {
    const { user } = this.#parts;
    const marks = user.newMarks(count);
    return { date: user.date, key: marks[0]!.replace(' ', '-'), marks, isBatch };
  }

  async #add(addition: NamedAddition, key?: string): Promise<boolean> {
    const { name, user, history } = this.#parts;
    const { date, marks, isBatch } = addition;
    const entries = marks.map((foodName) => ({ date, mealType: 'lunch', foodName, ...AMOUNTS }));
    const asked = await this.#ask(isBatch ? '/batch' : '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify(isBatch ? entries : entries[0]),
    });
    const added = asked.status === 201 ? toSeen(isBatch ? asked.json : [asked.json]) : undefined;
    const record: AddRecord = {
      kind: 'add',
      ...noted(name, asked),
      diary: `${user.id} ${date}`,
      marks,
      ...(key !== undefined && { key }),
      ...(added !== undefined && { added }),
    };
    history.note(record);
    if (added !== undefined) user.learn(date, added);
    return added !== undefined;
  }

  async #addNamed(addition: NamedAddition): Promise<void> {
    const { user } = this.#parts;
    if (await this.#add(addition, addition.key)) user.answered(addition);
    else user.unanswered.push(addition);
  }

  /** Sends an addition twice concurrently, like an impatient client. */
  async #addTwins(addition: NamedAddition): Promise<void> {
    await Promise.all([this.#addNamed(addition), this.#addNamed(addition)]);
  }

  async #change(entry: KnownEntry): Promise<void> {
    const { name, user, history, random } = this.#parts;
    const ifMatch = random.next() < 0.7 ? entry.version : undefined;
    const mark = user.newMark();
    const asked = await this.#ask(`/${entry.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...toIfMatch(ifMatch) },
      body: JSON.stringify({ foodName: mark }),
    });
    history.note({
      kind: 'change',
      ...noted(name, asked),
      diary: `${user.id} ${entry.date}`,
      entry: entry.id,
      mark,
      ...(ifMatch !== undefined && { ifMatch }),
      ...versionIn(asked),
    });
    await this.#follow(entry, asked);
  }

  async #remove(entry: KnownEntry): Promise<void> {
    const { name, user, history, random } = this.#parts;
    const ifMatch = random.next() < 0.5 ? entry.version : undefined;
    const asked = await this.#ask(`/${entry.id}`, { method: 'DELETE', headers: toIfMatch(ifMatch) });
    history.note({
      kind: 'remove',
      ...noted(name, asked),
      diary: `${user.id} ${entry.date}`,
      entry: entry.id,
      ...(ifMatch !== undefined && { ifMatch }),
    });
    if (asked.status === 204) user.forget(entry);
    else await this.#follow(entry, asked);
  }

  async #read(entry: KnownEntry): Promise<void> {
    const { name, user, history } = this.#parts;
    const asked = await this.#ask(`/${entry.id}`);
    history.note({
      kind: 'read',
      ...noted(name, asked),
      diary: `${user.id} ${entry.date}`,
      entry: entry.id,
      ...(asked.status === 200 && { mark: asked.json.foodName, ...versionIn(asked) }),
    });
    if (asked.status !== 412) await this.#follow(entry, asked);
  }

  async #totals(date: string): Promise<void> {
    const { name, user, history } = this.#parts;
    const asked = await this.#ask(`/totals?date=${date}`);
    history.note({
      kind: 'totals',
      ...noted(name, asked),
      diary: `${user.id} ${date}`,
      ...(asked.status === 200 && { count: asked.json.calories / AMOUNTS.calories }),
    });
  }

  /** Learns from a response; if it reports another version, that is read next. */
  async #follow(entry: KnownEntry, asked: Asked): Promise<void> {
    if (asked.status === 404) this.#parts.user.forget(entry);
    if (asked.status === 412) await this.#read(entry);
    entry.version = versionIn(asked).version ?? entry.version;
  }

  #ask(path: string, question: Question = {}, url = this.#parts.url): Promise<Asked> {
    const { history, user, key } = this.#parts;
    const headers = { authorization: `Bearer ${key}`, ...question.headers };
    return ask(history, `${url}/v1/users/${user.id}/diary${path}`, { ...question, headers });
  }
}

function toSeen(entries: readonly { readonly id: string; readonly foodName: string }[]) {
  return entries.map(({ id, foodName }) => ({ id, mark: foodName }));
}

function toIfMatch(version: number | undefined): Record<string, string> {
  return version === undefined ? {} : { 'if-match': `"${version}"` };
}

function versionIn({ etag }: Asked): { readonly version?: number } {
  return etag === undefined ? {} : { version: Number(etag.replaceAll('"', '')) };
}
