import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createSecret, signedHeaders } from './signature.ts';

const BODY = '{"type":"webhook.test","data":{"name":"Käse"}}';

test('the specification’s library verifies any signed body', () => {
  fc.assert(
    fc.property(fc.json(), (body) => {
      const secret = createSecret();
      const headers = signedHeaders({ secret, previous: [] }, { id: 'a1', nowMs: Date.now(), body });
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => new Webhook(createSecret()).verify(body, headers)).toThrow();
      expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    }),
  );
});

test('each previous secret signs until its time is over', () => {
  const nowMs = Date.now();
  const [secret, one, two, over] = [createSecret(), createSecret(), createSecret(), createSecret()];
  const previous = [
    { secret: one, untilMs: nowMs + 2 },
    { secret: two, untilMs: nowMs + 1 },
    { secret: over, untilMs: nowMs },
  ];
  const headers = signedHeaders({ secret, previous }, { id: 'a1', nowMs, body: BODY });
  for (const valid of [secret, one, two]) new Webhook(valid).verify(BODY, headers);
  expect(() => new Webhook(over).verify(BODY, headers)).toThrow();
});
