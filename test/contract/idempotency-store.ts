import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  IdempotencyStore,
  RequestName,
  RequestToClaim,
} from '../../src/idempotency/idempotency-store.ts';

export interface OpenIdempotencyStore {
  readonly store: IdempotencyStore;
  /** Another connection to the same requests, as another process has it. */
  readonly other: IdempotencyStore;
  close(): Promise<void>;
}

const NOW_MS = 1_800_000_000_000;
const NAME: RequestName = { tenant: 'acme', userId: 'ann', idempotencyKey: 'key 1' };
const ANSWER = { status: 201, headers: { location: '/v1/x/ü' }, body: '{"a":"🍓"}' };
const fingerprint = (fill: number) => new Uint8Array(32).fill(fill);

function request(more: Partial<RequestToClaim> = {}): RequestToClaim {
  const nowMs = more.nowMs ?? NOW_MS;
  const times = { nowMs, claimedUntilMs: nowMs + 60_000, forgottenMs: nowMs - 86_400_000 };
  return { name: NAME, subjectUserId: 'ann', fingerprint: fingerprint(1), ...times, ...more };
}

/** Contract of `IdempotencyStore`, run over each adapter. `open` returns an empty store. */
export function idempotencyStoreContract(adapter: string, open: () => Promise<OpenIdempotencyStore>): void {
  describe(`ReplayStore over ${adapter}`, () => {
    let opened: OpenIdempotencyStore;
    let store: IdempotencyStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    async function start(more: Partial<RequestToClaim> = {}): Promise<string> {
      const claim = await store.claim(request(more));
      if (claim.kind !== 'started') throw new Error(`not started but ${claim.kind}`);
      return claim.claimId;
    }

    test('one of many concurrent callers on two instances starts, and the others learn that it runs', async () => {
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? store : opened.other).claim(request())),
      );
      const kinds = claims.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'started')).toHaveLength(1);
      expect(kinds.filter((kind) => kind === 'running')).toHaveLength(19);
    });

    test('the stored response is returned unchanged on every instance', async () => {
      await store.settle(NAME, await start(), ANSWER);
      for (const reader of [store, opened.other]) {
        expect(await reader.claim(request({ nowMs: NOW_MS + 80_000_000 }))).toEqual({
          kind: 'answered',
          answer: ANSWER,
        });
      }
    });

    test('another request with the same key is detected, whether the first runs or is done', async () => {
      const claimId = await start();
      expect((await store.claim(request({ fingerprint: fingerprint(2) }))).kind).toBe('other');
      await store.settle(NAME, claimId, ANSWER);
      expect((await store.claim(request({ fingerprint: fingerprint(2) }))).kind).toBe('other');
    });

    test.each([
      ['tenant', { tenant: 'other' }],
      ['user', { userId: '' }],
      ['key', { idempotencyKey: 'KEY 1' }],
    ])('the same key of another %s is another request', async (_, more) => {
      await store.settle(NAME, await start(), ANSWER);
      expect((await store.claim(request({ name: { ...NAME, ...more } }))).kind).toBe('started');
    });

    test('an abandoned key can be started again, also with another request', async () => {
      await store.abandon(NAME, await start());
      await store.abandon(NAME, await start());
      await start({ fingerprint: fingerprint(2) });
    });

    test('a repeated execution learns when and how often the request was started', async () => {
      const begun = async (more: Partial<RequestToClaim>) => {
        const claim = await opened.other.claim(request(more));
        if (claim.kind !== 'started') throw new Error(`not started but ${claim.kind}`);
        await store.abandon(NAME, claim.claimId);
        return [claim.attempt, claim.firstClaimedMs - NOW_MS];
      };
      await start();
      expect(await begun({ nowMs: NOW_MS + 60_000 })).toEqual([2, 0]);
      expect(await begun({ nowMs: NOW_MS + 60_000 })).toEqual([3, 0]);
      expect(await begun({ nowMs: NOW_MS + 61_000, fingerprint: fingerprint(2) })).toEqual([1, 61_000]);
      expect(await begun({ nowMs: NOW_MS + 62_000, fingerprint: fingerprint(2) })).toEqual([2, 61_000]);
      expect(await begun({ nowMs: NOW_MS + 90_000_000, fingerprint: fingerprint(2) })).toEqual([
        1, 90_000_000,
      ]);
    });

    test('an expired claim is taken over once, and its first holder loses it', async () => {
      const dead = await start();
      const later = NOW_MS + 60_000;
      expect((await store.claim(request({ nowMs: later - 1 }))).kind).toBe('running');
      const claims = await Promise.all(
        Array.from({ length: 10 }, () => opened.other.claim(request({ nowMs: later }))),
      );
      const started = claims.filter((claim) => claim.kind === 'started');
      expect(started).toHaveLength(1);
      await store.settle(NAME, dead, { ...ANSWER, body: 'late' });
      await store.abandon(NAME, dead);
      expect((await store.claim(request({ nowMs: later }))).kind).toBe('running');
      await store.settle(NAME, started[0]!.claimId, ANSWER);
      expect(await store.claim(request({ nowMs: later }))).toEqual({ kind: 'answered', answer: ANSWER });
    });

    test('an extended claim is not taken over, and only its holder can extend it', async () => {
      const first = await start();
      await store.extend(NAME, first, NOW_MS + 120_000);
      expect((await opened.other.claim(request({ nowMs: NOW_MS + 60_000 }))).kind).toBe('running');
      const second = await start({ nowMs: NOW_MS + 120_000 });
      await store.extend(NAME, first, NOW_MS + 900_000);
      await store.abandon(NAME, second);
      await store.extend(NAME, second, NOW_MS + 900_000);
      await start({ nowMs: NOW_MS + 180_000 });
    });

    test('a stored response cannot be abandoned', async () => {
      const claimId = await start();
      await store.settle(NAME, claimId, ANSWER);
      await store.abandon(NAME, claimId);
      expect((await store.claim(request())).kind).toBe('answered');
    });

    test('a removed key can be used by another request', async () => {
      await store.settle(NAME, await start(), ANSWER);
      const nextDay = { nowMs: NOW_MS + 86_400_000, fingerprint: fingerprint(2) };
      await start(nextDay);
      expect((await store.claim(request(nextDay))).kind).toBe('running');
    });

    test('only expired requests are removed, a limited number at a time', async () => {
      for (const [at, key] of ['a', 'b', 'c', 'd'].entries()) {
        await start({ name: { ...NAME, idempotencyKey: key }, nowMs: NOW_MS + at });
      }
      expect(await store.removeForgotten(NOW_MS + 2, 2)).toBe(2);
      expect(await store.removeForgotten(NOW_MS + 2, 2)).toBe(1);
      const kinds = ['a', 'b', 'c', 'd'].map(
        async (key) => (await store.claim(request({ name: { ...NAME, idempotencyKey: key } }))).kind,
      );
      expect(await Promise.all(kinds)).toEqual(['started', 'started', 'started', 'running']);
    });
  });
}
