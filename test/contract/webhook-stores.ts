import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIds } from '../../src/base/time-ordered-id.ts';
import { SealedSecrets } from '../../src/db/sealed-secrets.ts';
import { sql } from '../../src/db/sql.ts';
import type { SealingDatabase } from '../../src/db/sql-database.ts';
import { type Change, toStatement, type Write } from '../../src/db/writer.ts';
import { eraseUserData } from '../../src/diary/store/erase-user-data.ts';
import { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import { DeliveryStore, KEPT_FAILED_MS, KEPT_SUCCEEDED_MS } from '../../src/webhooks/delivery-store.ts';
import { DISABLED_AFTER_MS, GIVEN_UP_AFTER_MS } from '../../src/webhooks/retry-schedule.ts';
import { createSecret } from '../../src/webhooks/signature.ts';
import type { ClaimedDelivery, WebhookTarget } from '../../src/webhooks/webhook.ts';
import { type NewWebhook, WebhookStore } from '../../src/webhooks/webhook-store.ts';
import { ANY_NUMBER, newScan } from '../support/new-scan.ts';

export interface OpenWebhookStores {
  readonly store: WebhookStores;
  /** Another connection to the same rows, as another process has it. */
  readonly other: WebhookStores;
  close(): Promise<void>;
}

export type WebhookStores = ReturnType<typeof toWebhookStores>;

export function toWebhookStores(database: SealingDatabase) {
  return {
    database,
    webhooks: new WebhookStore(database),
    deliveries: new DeliveryStore(database),
    scans: new ScanStore(database),
  };
}

const LEASE_MS = 30_000;
const [OLD, NEW] = ['the secret of last year', 'the secret of this year'];
/** Writers use the clock of the database. */
const now = () => Date.now() + 5_000;

function newWebhook(more: Partial<NewWebhook> = {}): NewWebhook & WebhookTarget {
  const createdAtMs = 1_700_000_000_000;
  const [id] = createIds(1, createdAtMs, randomBytes);
  return {
    id: id!,
    tenant: 'acme',
    url: 'https://app.example.com/',
    events: ['diary.changed'],
    createdAtMs,
    secret: createSecret(),
    previous: [],
    baseUrl: 'https://larder.example.com',
    ...more,
  };
}

/** Contract of the stores of webhooks and deliveries together with the writers; run over each database. */
export function webhookStoresContract(adapter: string, open: () => Promise<OpenWebhookStores>): void {
  describe(`webhooks over ${adapter}`, () => {
    let opened: OpenWebhookStores;
    let webhooks: WebhookStore;
    let deliveries: DeliveryStore;
    beforeEach(async () => {
      opened = await open();
      ({ webhooks, deliveries } = opened.store);
    });
    afterEach(() => opened.close());

    async function added(more: Partial<NewWebhook> = {}) {
      const webhook = newWebhook(more);
      expect(await webhooks.add(webhook, 100)).toBe(true);
      return webhook;
    }

    /** Performs any write, with a change or an event. */
    function write(what: Partial<Write>, value = `${Math.random()}`) {
      const statement = sql`
        insert into signing_keys (kid, created_at, private_jwk) values (${value}, 1, '{}')`.prepared(
        'add-any',
      );
      return opened.store.database.writer.write({
        statements: [toStatement(statement)],
        firstDecides: true,
        ...what,
      });
    }

    const diaryOf = (userId: string, tenant = 'acme'): Partial<Write> => ({
      change: { tenant, userId, kind: 'entry', ids: ['01KG9V4N00000000000000EXMP'] } satisfies Change,
    });

    async function claimed({ id }: WebhookTarget, from = deliveries, limit = 10, nowMs = now()) {
      return from.claim(id, { nowMs, leaseUntilMs: nowMs + LEASE_MS, limit });
    }

    const failed = (atMs: number, dueAtMs?: number) => ({
      succeeded: false,
      atMs,
      dueAtMs,
      responseStatus: 500,
      response: 'no',
    });

    test('a webhook is found unchanged by every process, and by its own tenant only', async () => {
      const webhook = await added({ userId: 'ann', events: ['scan.failed', 'food.changed'] });
      const { secret, baseUrl, previous, ...shown } = webhook;
      expect(await opened.other.webhooks.find('acme', webhook.id)).toEqual(shown);
      expect(await webhooks.find('other', webhook.id)).toBeUndefined();
      expect(await webhooks.targets([webhook.id])).toEqual([{ ...shown, secret, baseUrl, previous }]);
      expect(await webhooks.list('acme', '', 10)).toEqual([shown]);
      expect(await webhooks.list('acme', webhook.id, 10)).toEqual([]);
    });

    test('a tenant cannot exceed the maximum number of webhooks with concurrent requests', async () => {
      const adding = Array.from({ length: 6 }, (_, at) =>
        (at % 2 === 0 ? webhooks : opened.other.webhooks).add(newWebhook(), 3),
      );
      expect((await Promise.all(adding)).filter(Boolean)).toHaveLength(3);
      expect(await webhooks.add(newWebhook({ tenant: 'other' }), 3)).toBe(true);
    });

    test('a write to a diary queues one delivery for each matching webhook', async () => {
      const all = await added();
      const ofAnn = await added({ userId: 'ann' });
      const ofBob = await added({ userId: 'bob' });
      const otherEvents = await added({ events: ['scan.completed', 'food.changed'] });
      const foreign = await added({ tenant: 'other' });
      const { hasQueued } = await write(diaryOf('ann'));
      expect(hasQueued).toBe(true);
      for (const webhook of [all, ofAnn])
        expect(await claimed(webhook)).toMatchObject([
          {
            tenant: 'acme',
            webhookId: webhook.id,
            event: 'diary.changed',
            userId: 'ann',
            subject: '',
            attempts: 1,
          },
        ]);
      for (const webhook of [ofBob, otherEvents, foreign]) expect(await claimed(webhook)).toEqual([]);
    });

    test('a write without effect, or of a tenant without webhooks, queues nothing', async () => {
      const webhook = await added();
      const nothing = toStatement(sql`update signing_keys set created_at = 2 where kid = 'none'`);
      const { writer } = opened.store.database;
      for (const lock of [undefined, { name: 'any' }])
        await writer.write({ statements: [nothing], firstDecides: true, lock, ...diaryOf('ann') });
      expect((await write(diaryOf('ann', 'nobody'))).hasQueued ?? false).toBe(false);
      expect(await claimed(webhook)).toEqual([]);
    });

    test('a failed write queues nothing', async () => {
      const webhook = await added();
      await write({}, 'once');
      await expect(write(diaryOf('ann'), 'once')).rejects.toThrow();
      expect(await claimed(webhook)).toEqual([]);
    });

    test('a delivery that was never claimed covers later changes, too; afterwards another delivery does', async () => {
      const webhook = await added();
      for (const lock of [undefined, undefined, { name: 'any' }]) await write({ ...diaryOf('ann'), lock });
      await write(diaryOf('bob'));
      const first = await claimed(webhook);
      expect(first.map(({ userId }) => userId).sort()).toEqual(['ann', 'bob']);
      expect((await write(diaryOf('ann'))).hasQueued).toBe(true);
      expect(await claimed(webhook)).toMatchObject([{ userId: 'ann' }]);
      // A delivery that waits for another attempt was claimed before.
      await deliveries.settle(first[0]!, failed(now(), now() + 60_000));
      await write(diaryOf(first[0]!.userId));
      expect(await claimed(webhook)).toHaveLength(1);
    });

    test('each food has its own delivery, also for webhooks of single users', async () => {
      const all = await added({ events: ['food.changed'] });
      const ofAnn = await added({ events: ['food.changed'], userId: 'ann' });
      const change: Change = { tenant: 'acme', userId: '', kind: 'food', ids: ['manual:a', 'manual:b'] };
      await write({ change, lock: { name: 'foods' } });
      for (const webhook of [all, ofAnn])
        expect((await claimed(webhook)).map(({ subject }) => subject).sort()).toEqual([
          'manual:a',
          'manual:b',
        ]);
    });

    test.each([
      ['completes', 'scan.completed'],
      ['fails', 'scan.failed'],
    ] as const)('a scan that %s queues %s once', async (how, event) => {
      const webhook = await added({ tenant: 'default', events: ['scan.completed', 'scan.failed'] });
      const { scans } = opened.store;
      const scan = newScan({ tenant: 'default' });
      await scans.create(scan, ANY_NUMBER);
      await scans.arrive(scan, { nowMs: 1 });
      const claim = await scans.claim({ nowMs: 2, leaseUntilMs: LEASE_MS, maxAttempts: 3 });
      const failure = { code: 'no_food_detected', message: 'No.', retryable: false } as const;
      const result = { name: 'x', calories: 1, protein: 1, carbs: 1, fat: 1, servingSize: 1, items: [] };
      const held = { ...scan, fencingToken: claim!.fencingToken };
      const settlement = how === 'fails' ? { failure } : { result };
      expect(await scans.settle(held, settlement, 3)).toBe(true);
      expect(await scans.settle(held, settlement, 3)).toBe(false);
      expect(await claimed(webhook)).toMatchObject([{ event, subject: scan.id, userId: scan.userId ?? '' }]);
    });

    test('expired uploads and abandoned scans are delivered as failed', async () => {
      const webhook = await added({ tenant: 'default', events: ['scan.failed'] });
      const { scans } = opened.store;
      const failure = { code: 'upload_expired', message: 'No.', retryable: true } as const;
      const [expired, abandoned] = [newScan({ tenant: 'default' }), newScan({ tenant: 'default' })];
      for (const scan of [expired, abandoned]) await scans.create(scan, ANY_NUMBER);
      await scans.expireUpload(expired, failure, 5);
      await scans.arrive(abandoned, { nowMs: 1 });
      await scans.claim({ nowMs: 2, leaseUntilMs: 3, maxAttempts: 1 });
      expect(await scans.failAbandoned(failure, { nowMs: 9, maxAttempts: 1, limit: 5 })).toEqual([
        abandoned.id,
      ]);
      expect((await claimed(webhook)).map(({ subject }) => subject).sort()).toEqual(
        [expired.id, abandoned.id].sort(),
      );
    });

    test('one worker holds a delivery; after its lease another one does, and the first cannot settle it', async () => {
      const webhook = await added();
      await write(diaryOf('ann'));
      const atMs = now();
      const [first] = await claimed(webhook, deliveries, 10, atMs);
      expect(await claimed(webhook, opened.other.deliveries, 10, atMs)).toEqual([]);
      expect(await deliveries.extendLease(first!, atMs + 2 * LEASE_MS)).toBe(true);
      expect(await claimed(webhook, opened.other.deliveries, 10, atMs + LEASE_MS)).toEqual([]);
      const [second] = await claimed(webhook, opened.other.deliveries, 10, atMs + 2 * LEASE_MS);
      expect(second).toMatchObject({ id: first!.id, attempts: 2 });
      const done = { succeeded: true, atMs, responseStatus: 204, response: '' };
      expect(await deliveries.settle(first!, done)).toBe(false);
      expect(await deliveries.giveBack(first!, atMs)).toBe(false);
      expect(await deliveries.drop(first!)).toBe(false);
      expect(await opened.other.deliveries.settle(second!, done)).toBe(true);
      expect(await deliveries.find(second!)).toMatchObject({
        outcome: 'succeeded',
        attempts: 2,
        responseStatus: 204,
      });
      expect(await deliveries.depth()).toBe(0);
    });

    test('concurrent claims share the queue without overlap', async () => {
      const webhook = await added();
      for (let user = 0; user < 20; user++) await write(diaryOf(`user-${user}`));
      const claims = await Promise.all(
        [deliveries, opened.other.deliveries, deliveries, opened.other.deliveries].map((store) =>
          claimed(webhook, store, 5),
        ),
      );
      const rest = await claimed(webhook, deliveries, 20);
      const ids = [...claims, rest].flat().map(({ id }) => id);
      expect(ids).toHaveLength(20);
      expect(new Set(ids).size).toBe(20);
    });

    test('a delivery that is returned is due at once and counts no attempt', async () => {
      const webhook = await added();
      await write(diaryOf('ann'));
      const [first] = await claimed(webhook);
      expect(await deliveries.giveBack(first!, now())).toBe(true);
      expect(await claimed(webhook)).toMatchObject([{ id: first!.id, attempts: 1 }]);
    });

    test('the queue lists each webhook once, with whether it may be sent to now', async () => {
      const [due, waiting, disabled] = [await added(), await added(), await added()];
      await added({ userId: 'nobody' });
      await write(diaryOf('ann'));
      await write(diaryOf('bob'));
      for (const held of await claimed(waiting)) await deliveries.settle(held, failed(now(), now() + 60_000));
      expect(await webhooks.disable(disabled.id, 'gone', now())).toBe(true);
      expect(await webhooks.disable(disabled.id, 'failing', now())).toBe(false);
      const queued = await deliveries.queued('', now());
      expect(queued.map(({ id }) => id)).toEqual([due, waiting, disabled].map(({ id }) => id).sort());
      expect(queued.filter(({ isDue }) => isDue)).toEqual([{ id: due.id, tenant: 'acme', isDue: true }]);
      const last = queued.at(-1)!.id;
      expect(await deliveries.queued(last, now())).toEqual([]);
    });

    test('a disabled webhook gets nothing new, keeps waiting deliveries, and has no failures after it is enabled', async () => {
      const webhook = await added();
      await write(diaryOf('ann'));
      const change = (isEnabled: boolean) => webhooks.change(webhook, { isEnabled }, 7);
      expect(await change(false)).toMatchObject({ disabled: { reason: 'by_request', atMs: 7 } });
      expect((await write(diaryOf('bob'))).hasQueued ?? false).toBe(false);
      expect((await change(true))!.disabled).toBeUndefined();
      expect(await claimed(webhook)).toMatchObject([{ userId: 'ann' }]);
    });

    test('three days of failures disable a webhook, unless one attempt succeeded', async () => {
      const webhook = await added();
      await write(diaryOf('ann'));
      const [held] = await claimed(webhook);
      const start = 1_700_000_000_000;
      expect(await webhooks.failed(webhook.id, start)).toBe(false);
      expect(await webhooks.failed(webhook.id, start + DISABLED_AFTER_MS - 1)).toBe(false);
      expect(await webhooks.find('acme', webhook.id)).toMatchObject({ failingSinceMs: start });
      await deliveries.settle(held!, { succeeded: true, atMs: start, responseStatus: 200, response: '' });
      expect(await webhooks.failed(webhook.id, start + DISABLED_AFTER_MS)).toBe(false);
      expect(await webhooks.failed(webhook.id, start + 2 * DISABLED_AFTER_MS)).toBe(true);
      expect(await webhooks.find('acme', webhook.id)).toMatchObject({ disabled: { reason: 'failing' } });
      const enabled = await webhooks.change(webhook, { isEnabled: true }, 0);
      expect([enabled!.disabled, enabled!.failingSinceMs]).toEqual([undefined, undefined]);
    });

    test('previous secrets are valid for their time after rotations, the newest ten of many', async () => {
      const webhook = await added();
      const rotate = (secret: string, nowMs: number) =>
        webhooks.rotate(webhook, secret, { nowMs, untilMs: nowMs + 100 });
      expect(await rotate('whsec_1', 0)).toBe(true);
      expect(await rotate('whsec_2', 50)).toBe(true);
      expect(await rotate('whsec_3', 120)).toBe(true);
      expect(await webhooks.targets([webhook.id])).toMatchObject([
        {
          secret: 'whsec_3',
          previous: [
            { secret: 'whsec_2', untilMs: 220 },
            { secret: 'whsec_1', untilMs: 150 },
          ],
        },
      ]);
      await Promise.all(Array.from({ length: 20 }, (_, at) => rotate(`whsec_at_once_${at}`, 121)));
      const [target] = await webhooks.targets([webhook.id]);
      const kept = [target!.secret, ...target!.previous.map(({ secret }) => secret)];
      expect(new Set(kept).size).toBe(11);
      for (const secret of kept) expect(secret).toMatch(/^whsec_at_once_/);
    });

    test('secrets are sealed in all columns, and open again after the sealing secret was replaced', async () => {
      const { database } = opened.store;
      const by = (...secrets: string[]) =>
        new WebhookStore({ ...database, secrets: new SealedSecrets(secrets) });
      const [old, both, latest] = [by(OLD), by(NEW, OLD), by(NEW)];
      const { secret: first, ...rest } = newWebhook();
      const webhook = { ...rest, secret: first };
      await old.add(webhook, 100);
      for (const secret of ['whsec_2', 'whsec_3'])
        await old.rotate(webhook, secret, { nowMs: 0, untilMs: 1 });
      const stored = async () => JSON.stringify(await sql`select * from webhooks`.all(database.db));
      const all = [{ secret: 'whsec_3', previous: [{ secret: 'whsec_2' }, { secret: first }] }];
      for (const secret of [first, 'whsec_2', 'whsec_3']) expect(await stored()).not.toContain(secret);
      expect(await both.targets([webhook.id])).toMatchObject(all);

      expect(await latest.seal()).toEqual({ sealed: 0, lost: 1 });
      const [lost] = await latest.targets([webhook.id]);
      expect([lost!.secret, lost!.previous]).toEqual([undefined, []]);
      expect(await both.seal()).toEqual({ sealed: 1, lost: 0 });
      expect(await both.seal()).toEqual({ sealed: 0, lost: 0 });
      expect(await latest.targets([webhook.id])).toMatchObject(all);
      // A service without the secret gives the webhook another one.
      expect(await old.rotate(webhook, 'whsec_4', { nowMs: 0, untilMs: 1 })).toBe(true);
      expect(await old.targets([webhook.id])).toMatchObject([{ secret: 'whsec_4', previous: [] }]);
    });

    test('secrets of webhooks from before they were sealed sign on, and are sealed by the next start', async () => {
      const { database } = opened.store;
      const older = JSON.stringify([{ secret: 'whsec_1', untilMs: 5 }]);
      for (let at = 0; at < 120; at++) {
        const { id } = await added({ tenant: `t${at}` });
        await sql`
          update webhooks set secret = ${`whsec_3${id}`}, previous_secret = ${'whsec_2'}, previous_until_ms = 9,
            older_secrets = ${older} where id = ${id}`.all(database.db);
      }
      const clear = await webhooks.listAll('', 200);
      const ids = clear.map(({ id }) => id);
      const targets = async () => (await webhooks.targets(ids)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const before = await targets();
      expect(before[0]).toMatchObject({
        secret: `whsec_3${before[0]!.id}`,
        previous: [
          { secret: 'whsec_2', untilMs: 9 },
          { secret: 'whsec_1', untilMs: 5 },
        ],
      });
      expect(await webhooks.seal()).toEqual({ sealed: 120, lost: 0 });
      expect(JSON.stringify(await sql`select * from webhooks`.all(database.db))).not.toContain('whsec_');
      expect(await targets()).toEqual(before);
    });

    test('a change sets only the given fields', async () => {
      const webhook = await added();
      const changed = await webhooks.change(
        webhook,
        { url: 'https://b.example/', events: ['scan.failed'] },
        0,
      );
      expect(changed).toMatchObject({ url: 'https://b.example/', events: ['scan.failed'] });
      expect(await webhooks.change(webhook, {}, 0)).toEqual(changed);
      await webhooks.remove(webhook);
      expect(await webhooks.rotate(webhook, 'whsec_x', { nowMs: 0, untilMs: 1 })).toBe(false);
      expect(await webhooks.change(webhook, { url: 'https://c.example/' }, 0)).toBeUndefined();
    });

    test('a webhook is removed with its deliveries, and their holder cannot settle them', async () => {
      const webhook = await added();
      await write(diaryOf('ann'));
      const [held] = await claimed(webhook);
      await webhooks.remove(webhook);
      expect(await deliveries.find(held!)).toBeUndefined();
      expect(await deliveries.settle(held!, failed(1))).toBe(false);
      expect(await deliveries.queued('', now())).toEqual([]);
    });

    test('erasing a user removes the deliveries and webhooks of that user only', async () => {
      const all = await added();
      const ofAnn = await added({ userId: 'ann' });
      await write(diaryOf('ann'));
      await write(diaryOf('bob'));
      await eraseUserData(opened.store.database, { tenant: 'acme', userId: 'ann' });
      expect((await deliveries.list(all.id, '', 10)).map(({ userId }) => userId)).toEqual(['bob']);
      expect(await webhooks.find('acme', ofAnn.id)).toBeUndefined();
    });

    test('deliveries are listed newest first, in pages', async () => {
      const webhook = await added();
      for (const id of ['1', '3', '2'])
        await deliveries.addTest({ tenant: 'acme', webhookId: webhook.id, id: id.repeat(32) }, now());
      const ids = async (before: string) =>
        (await deliveries.list(webhook.id, before, 2)).map(({ id }) => id[0]);
      expect(await ids('')).toEqual(['3', '2']);
      expect(await ids('2'.repeat(32))).toEqual(['1']);
    });

    test('a finished delivery can be sent again, with all attempts and the same id; one in progress cannot', async () => {
      const webhook = await added();
      await write(diaryOf('ann'));
      const [held] = await claimed(webhook);
      expect(await deliveries.redeliver(held!, now())).toBe(false);
      await deliveries.settle(held!, failed(now()));
      // Newer changes remain separate from it.
      await write(diaryOf('ann'));
      expect(await deliveries.redeliver(held!, now())).toBe(true);
      const again = await claimed(webhook);
      expect(again).toHaveLength(2);
      expect(again.find(({ id }) => id === held!.id)).toMatchObject({ attempts: 1 });
      expect(again[0]!.outcome).toBeUndefined();
    });

    test('finished deliveries are removed after their time, and those that waited too long are given up', async () => {
      const webhook = await added();
      for (const user of ['ann', 'bob', 'cat']) await write(diaryOf(user));
      const [good, bad] = await claimed(webhook, deliveries, 2);
      const atMs = now();
      await deliveries.settle(good!, { succeeded: true, atMs, responseStatus: 200, response: '' });
      await deliveries.settle(bad!, failed(atMs));
      const left = async () => (await deliveries.list(webhook.id, '', 10)).length;
      expect(await deliveries.forget(atMs + KEPT_SUCCEEDED_MS - 1, 10)).toBe(0);
      expect(await deliveries.forget(atMs + KEPT_SUCCEEDED_MS, 10)).toBe(1);
      expect(await deliveries.giveUp(atMs, 10)).toBe(0);
      expect(await deliveries.giveUp(atMs + GIVEN_UP_AFTER_MS, 10)).toBe(1);
      expect(await deliveries.forget(atMs + KEPT_FAILED_MS, 10)).toBe(1);
      expect(await left()).toBe(1);
      expect(await deliveries.depth()).toBe(0);
    });

    test('reports whether too many wait', async () => {
      const webhook = await added();
      for (const user of ['ann', 'bob']) await write(diaryOf(user));
      expect([await deliveries.hasMore(webhook.id, 1), await deliveries.hasMore(webhook.id, 2)]).toEqual([
        true,
        false,
      ]);
    });

    test('with any concurrent writes and claims, a claim after the last write covers each user', async () => {
      const webhook = await added();
      const told: ClaimedDelivery[] = [];
      const writing = Array.from({ length: 12 }, (_, at) => write(diaryOf(`user-${at % 3}`)));
      const claiming = [deliveries, opened.other.deliveries].map(async (store) => {
        for (let round = 0; round < 6; round++) told.push(...(await claimed(webhook, store, 2)));
      });
      await Promise.all([...writing, ...claiming]);
      told.push(...(await claimed(webhook)));
      expect(new Set(told.map(({ userId }) => userId))).toEqual(new Set(['user-0', 'user-1', 'user-2']));
      expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
    });
  });
}
