import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { type ChangesPage, type DiaryDay, type DiaryEntry, Larder } from 'larder-client';
import { expect, it } from 'vitest';
import { today } from '../days.ts';
import { newId } from './ids.ts';
import { LocalCopy } from './local-copy.ts';
import type { ShownEntry, Write } from './queue/writes.ts';
import { Sync } from './sync.ts';

const DATE = today();
const DAY_PATH = `days/${DATE}`;

/** The diary of one user as docs/sync.md describes it, as simply as it can be. */
class NaiveService {
  readonly entries = new Map<string, DiaryEntry | undefined>();
  readonly log: string[] = [];
  /** What was noted about the day, which is always there. */
  day = { date: DATE, version: 0 } as DiaryDay;

  answer(method: string, id: string | undefined, body: object, ifMatch: string | null): Response {
    if (id === DAY_PATH) return this.#changeDay(body, ifMatch);
    const posted = method === 'POST' ? (body as DiaryEntry).id : id!;
    const kept = this.entries.get(posted);
    if (this.entries.has(posted) && kept === undefined)
      return method === 'POST' ? refusal(410, 'deleted') : refusal(404, 'diary_entry_not_found');
    if (method === 'POST') {
      if ((body as DiaryEntry).calories < 0) return refusal(400, 'invalid_request');
      return kept === undefined ? this.#put({ ...body, version: 1 } as DiaryEntry, 201) : Response.json(kept);
    }
    if (kept === undefined) return refusal(404, 'diary_entry_not_found');
    if (ifMatch !== null && ifMatch !== `"${kept.version}"`)
      return refusal(412, 'version_conflict', { current: kept });
    if (method === 'PATCH') return this.#put({ ...kept, ...body, version: kept.version + 1 }, 200);
    this.entries.set(posted, undefined);
    this.log.push(posted);
    return new Response(null, { status: 204 });
  }

  /** Each object once, in the order of its last change, `limit` of them. */
  page(after: string | undefined, limit: number): ChangesPage {
    const begin = Number(after ?? 0);
    const ids = [...new Set(this.log.slice(begin).toReversed())].toReversed().slice(0, limit);
    const last = ids.at(-1);
    const end = last === undefined ? this.log.length : this.log.lastIndexOf(last) + 1;
    return {
      changes: ids.map((id) => {
        if (id === DAY_PATH) return { kind: 'day', op: 'upsert', id: DATE, value: this.day };
        const value = this.entries.get(id);
        return value === undefined
          ? { kind: 'entry', op: 'delete', id }
          : { kind: 'entry', op: 'upsert', id, value };
      }),
      cursor: String(end),
      more: end < this.log.length,
    };
  }

  #changeDay(body: object, ifMatch: string | null): Response {
    if (ifMatch !== `"${this.day.version}"`) return refusal(412, 'version_conflict', { current: this.day });
    const fields = Object.entries({ ...this.day, ...body }).filter(([, value]) => value !== null);
    this.day = { ...Object.fromEntries(fields), version: this.day.version + 1 } as unknown as DiaryDay;
    this.log.push(DAY_PATH);
    return Response.json(this.day);
  }

  #put(entry: DiaryEntry, status: number): Response {
    this.entries.set(entry.id, entry);
    this.log.push(entry.id);
    return Response.json(entry, { status });
  }
}

function refusal(status: number, code: string, details: object = {}): Response {
  return Response.json({ error: { code, message: code, details, requestId: '1' } }, { status });
}

type Connection = 'up' | 'down' | 'loses answers';
let devices = 0;

/** The page's own copy and queue, over a connection that fails as the test wants. */
class Device {
  readonly copy = new LocalCopy(`device-${++devices}`);
  readonly sync: Sync;
  connection: Connection = 'up';

  constructor(service: NaiveService) {
    const larder = new Larder({
      url: 'http://food.test',
      fetch: async (input, { method = 'GET', body, headers } = {}) => {
        if (this.connection === 'down') throw new TypeError('fetch failed');
        const id = new URL(String(input)).pathname.split('/diary/')[1];
        const given = typeof body === 'string' ? JSON.parse(body) : {};
        const answer = service.answer(method, id, given, new Headers(headers).get('if-match'));
        if (this.connection === 'loses answers') throw new TypeError('fetch failed');
        return answer;
      },
    });
    this.sync = new Sync({
      larder,
      userId: `user-${devices}`,
      copy: this.copy,
      language: () => 'en',
      onChange: () => {},
      onReach: () => {},
      onSignedOut: () => {},
    });
  }

  async shown(at: number): Promise<ShownEntry | undefined> {
    const all = await this.copy.entriesOf(DATE);
    return all[at % Math.max(1, all.length)];
  }

  async add(calories: number): Promise<string> {
    const entry = { id: newId(), date: DATE, mealType: 'lunch', foodName: 'x', calories } as DiaryEntry;
    const preview: DiaryEntry = { ...entry, version: 0 };
    await this.copy.queue([{ kind: 'entry', id: entry.id, op: 'add', body: entry, preview }]);
    return entry.id;
  }

  async change({ waiting, ...entry }: ShownEntry, body: object): Promise<void> {
    const base = entry.version === 0 ? undefined : entry;
    const preview = { ...entry, ...body };
    await this.copy.queue([{ kind: 'entry', id: entry.id, op: 'change', base, body, preview }]);
  }

  async noteDay(body: object): Promise<void> {
    const { waiting: _, ...known } = (await this.copy.findShown('day', DATE)) ?? { version: 0 };
    const fields = Object.entries({ date: DATE, ...known, ...body }).filter(([, value]) => value !== null);
    const preview = Object.fromEntries(fields);
    await this.copy.queue([{ kind: 'day', id: DATE, op: 'change', base: known, body, preview }]);
  }

  async remove({ waiting, ...entry }: ShownEntry): Promise<void> {
    const base = entry.version === 0 ? undefined : entry;
    await this.copy.queue([{ kind: 'entry', id: entry.id, op: 'remove', base }]);
  }

  async read(service: NaiveService, limit: number): Promise<boolean> {
    const page = service.page(await this.copy.note('cursor'), limit);
    await this.copy.apply(page);
    return page.more;
  }

  /** Decides all conflicts, and gives up what was refused. */
  async decide(isMine: boolean): Promise<boolean> {
    const aside = (await this.copy.writes()).filter(({ state }) => state !== 'waiting');
    for (const { theirs, ...write } of aside) {
      if (isMine && write.state === 'conflict' && theirs !== null)
        await this.copy.update({ ...write, base: theirs, state: 'waiting' } as Write);
      else await this.copy.discard(write);
    }
    return aside.length > 0;
  }
}

const device = fc.nat(1);
const at = fc.nat(5);
const value = fc.integer({ min: 1, max: 9 });
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), device, value }),
  fc.record({
    do: fc.constant('change' as const),
    device,
    at,
    field: fc.constantFrom('note', 'calories'),
    value,
  }),
  fc.record({ do: fc.constant('remove' as const), device, at }),
  fc.record({
    do: fc.constant('day' as const),
    device,
    body: fc.oneof(
      fc.record({ note: fc.constantFrom('x', 'y', null) }),
      fc.record({ complete: fc.boolean() }),
    ),
  }),
  fc.record({ do: fc.constant('send' as const), device }),
  fc.record({ do: fc.constant('read' as const), device, limit: value }),
  fc.record({ do: fc.constant('decide' as const), device, isMine: fc.boolean() }),
  fc.record({
    do: fc.constant('connect' as const),
    device,
    to: fc.constantFrom<Connection>('up', 'down', 'loses answers'),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
interface Seen {
  readonly service: NaiveService;
  readonly added: Set<string>;
  readonly removed: Set<string>;
}

async function perform(each: Step, on: Device, { service, added, removed }: Seen): Promise<void> {
  if (each.do === 'add') added.add(await on.add(each.value));
  if (each.do === 'connect') on.connection = each.to;
  if (each.do === 'day') await on.noteDay(each.body);
  if (each.do === 'send') await on.sync.flush();
  if (each.do === 'read') await on.read(service, each.limit);
  if (each.do === 'decide') await on.decide(each.isMine);
  if (each.do !== 'change' && each.do !== 'remove') return;
  const entry = await on.shown(each.at);
  if (entry === undefined) return;
  if (each.do === 'change') return on.change(entry, { [each.field]: each.value });
  removed.add(entry.id);
  await on.remove(entry);
}

/** Runs the steps on two devices of one user, then connects both and reads everything. */
async function run(steps: readonly Step[]) {
  const service = new NaiveService();
  const both = [new Device(service), new Device(service)] as const;
  const added = new Set<string>();
  const removed = new Set<string>();
  for (const each of steps) await perform(each, both[each.device]!, { service, added, removed });
  for (const on of both) on.connection = 'up';
  let decisions = 0;
  for (let isOpen = true; isOpen; ) {
    isOpen = false;
    for (const on of both) {
      await on.sync.flush();
      if (!(await on.decide(true))) continue;
      isOpen = true;
      decisions++;
    }
  }
  for (const on of both) while (await on.read(service, 3));
  const kept = [...service.entries.values()]
    .filter((entry) => entry !== undefined)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const shown = await Promise.all(both.map((on) => on.copy.entriesOf(DATE)));
  const days = await Promise.all(both.map((on) => on.copy.findShown('day', DATE)));
  const waiting = (await Promise.all(both.map((on) => on.copy.writes()))).flat();
  for (const on of both) {
    on.sync.end();
    on.copy.close();
  }
  return { kept, day: service.day, days, shown, waiting, decisions, added, removed };
}

it('two devices end with what the service has, and nothing that was written is missing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), async (steps) => {
      const { kept, day, days, shown, waiting, added, removed } = await run(steps);
      expect(waiting).toEqual([]);
      if (day.version > 0) expect(days).toEqual([day, day]);
      expect(shown).toEqual([kept, kept]);
      const ids = kept.map(({ id }) => id);
      for (const id of added) if (!removed.has(id)) expect(ids).toContain(id);
    }),
    { numRuns: 80 },
  );
});

it('one device alone ends with all its writes applied in their order, without a question, however often answers were lost', async () => {
  const alone = step.filter((each) => each.do !== 'decide').map((each) => ({ ...each, device: 0 }));
  await fc.assert(
    fc.asyncProperty(fc.array(alone, { minLength: 5, maxLength: 60, size: 'max' }), async (steps) => {
      const writes = steps.filter(({ do: what }) => !['send', 'read', 'connect'].includes(what));
      const asWritten = await run(writes.flatMap((each) => [each, { do: 'send' as const, device: 0 }]));
      const { kept, day, decisions } = await run(steps);
      expect([day.note, day.complete]).toEqual([asWritten.day.note, asWritten.day.complete]);
      expect(decisions).toBe(0);
      const values = (entries: readonly DiaryEntry[]) =>
        entries.map(({ calories, note }) => ({ calories, note }));
      expect(values(kept)).toEqual(values(asWritten.kept));
    }),
    { numRuns: 80 },
  );
});
