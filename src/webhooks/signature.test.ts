import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createSecret, signedHeaders } from './signature.ts';

const BODY = '{"type":"webhook.test","data":{"name":"Käse"}}';

test('the specification’s library verifies any signed body', () => {
  fc.assert(
    fc.property(fc.json(), (body) => {
      const secret = createSecret();
      const headers = signedHeaders({ secret }, { id: 'a1', nowMs: Date.now(), body });
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => new Webhook(createSecret()).verify(body, headers)).toThrow();
      expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    }),
  );
});

test('the previous secret signs until its time is over', () => {
  const [secret, before] = [createSecret(), createSecret()];
  const nowMs = Date.now();
  const signed = (untilMs: number) =>
    signedHeaders({ secret, previous: { secret: before, untilMs } }, { id: 'a1', nowMs, body: BODY });
  for (const one of [secret, before]) new Webhook(one).verify(BODY, signed(nowMs + 1));
  new Webhook(secret).verify(BODY, signed(nowMs));
  expect(() => new Webhook(before).verify(BODY, signed(nowMs))).toThrow();
});
