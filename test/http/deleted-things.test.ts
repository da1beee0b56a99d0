import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openDescribedService } from '../support/generated/described-service.ts';
import type { Operation } from '../support/generated/operations.ts';
import { type Parameters, toRequest } from '../support/generated/request-generator.ts';
import { NIGHTLY, seeded } from '../support/generated/seeded.ts';
import { runs } from '../support/runs.ts';

const LIFETIMES = runs(40);

const service = await openDescribedService();
afterAll(() => service[Symbol.asyncDispose]());
const { client, key, operations, requests, expectDescribed } = service;

/**
 * Exceptions: revoked keys and cancelled imports can still be read; people join by links, and sessions create own keys, passkeys,
 * invitations and links.
 */
const EXCLUDED = [
  ...['createKey', 'createOwnKey', 'startImport'],
  ...['createPerson', 'createInvitation', 'linkOpenId', 'addPasskey'],
];

/** Operations that create an object, with the requests for it afterwards. */
const lifetimes = operations.flatMap((create) => {
  const ofOne = operations.filter(
    ({ path }) => path !== create.path && path.replace(/\/\{[^/]+\}$/, '') === create.path,
  );
  const remove = ofOne.find(({ method }) => method === 'DELETE');
  if (create.method !== 'POST' || remove === undefined || EXCLUDED.includes(create.id)) return [];
  return [{ create, remove, ofOne }];
});

/** The parameters of one request, for another operation on the object with this id. */
function onOne(operation: Operation, created: Parameters, id: string, own: Parameters): Parameters {
  const shared = new Map([...created].map(([{ name }, value]) => [name, value]));
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  return new Map([
    ...own,
    ...inPath.map((parameter) => [parameter, shared.get(parameter.name) ?? id] as const),
  ]);
}

/** A valid body, unlike generated ones. */
const exampleOf = (operation: Operation) =>
  requests.of(operation).map((request) => ({ ...request, body: operation.body!.example }));

test.each(lifetimes.map((each) => [each.create.path, each] as const))(
  'nothing created at %s is returned after its deletion',
  NIGHTLY,
  async (_, { create, remove, ofOne }) => {
    let deletions = 0;
    const property = fc.asyncProperty(
      fc.oneof(requests.of(create), exampleOf(create)),
      fc.tuple(...ofOne.map((operation) => requests.of(operation))),
      async (creation, later) => {
        const answer = await client.send(toRequest(creation, key));
        expectDescribed(create, answer);
        // A repeated request is answered with an object that an earlier run has deleted.
        if (answer.statusCode !== 201 || answer.headers['idempotency-replayed'] !== undefined) return;
        const { id, jobId } = [answer.json()].flat()[0] as { id?: string; jobId?: string };
        const one = (id ?? jobId)!;
        const deletion = {
          operation: remove,
          parameters: onOne(remove, creation.parameters, one, new Map()),
        };
        const deleted = await client.send(toRequest({ ...deletion, body: undefined }, key));
        expect(deleted.statusCode).toBe(204);
        deletions++;
        for (const request of later) {
          const { operation } = request;
          const parameters = onOne(operation, creation.parameters, one, request.parameters);
          const gone = await client.send(toRequest({ ...request, parameters }, key));
          expectDescribed(operation, gone);
          expect([operation.name, gone.statusCode]).toEqual([operation.name, 404]);
        }
      },
    );
    await fc.assert(property, seeded(LIFETIMES));
    expect(deletions).toBeGreaterThan(0);
  },
);
