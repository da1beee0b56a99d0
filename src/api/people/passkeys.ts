import { z } from 'zod';
import { MAX_PASSKEYS, type Passkey } from '../../people/passkeys/passkey-store.ts';
import { type Passkeys, RECOVERY_CODES, siteAt } from '../../people/passkeys/passkeys.ts';
import type { People } from '../../people/people.ts';
import type { Sessions } from '../../people/sessions.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { isoTime } from '../fields.ts';
import { operation } from '../operation.ts';
import { readSessionCookie } from '../session-cookie.ts';
import { line } from '../text-schemas.ts';
import {
  ofConfirmedSession,
  ofSession,
  ofVisitor,
  passkeyAnswer,
  requireSession,
  signedIn,
  signedInAnswer,
  signInHeaders,
} from './person-json.ts';

interface Ports {
  readonly passkeys: Passkeys;
  readonly sessions: Sessions;
}

const PATH = '/v1/people/me/passkeys';
const MAX_NAME_LENGTH = 60;

const optionsSchema = z.record(z.string(), z.unknown()).meta({
  id: 'PasskeyOptions',
  description: 'For `navigator.credentials` of the browser, as JSON (WebAuthn 3).',
});
const EXAMPLE_OPTIONS = {
  challenge: 'q83vEjRWeJCrze8SNFZ4kA',
  rpId: 'food.example.org',
  userVerification: 'required',
};
const EXAMPLE_ANSWER = {
  id: 'AQIDBAUGBwg',
  rawId: 'AQIDBAUGBwg',
  type: 'public-key' as const,
  response: { clientDataJSON: 'eyJ0…', authenticatorData: 'SZYN…', signature: 'MEUC…' },
};

const passkeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    site: z.string().describe('The name of the service for which it was made, and where alone it works.'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'Passkey' });
const EXAMPLE_PASSKEY = {
  id: '01KB0T2X5M0000Y3QH7D9WZ4RB',
  name: 'Phone',
  site: 'food.example.org',
  createdAt: '2026-11-26T08:00:00.000Z',
};
const codesSchema = z
  .array(z.string())
  .describe(
    'Shown this once. Each signs in once in place of a passkey, together with the password if there is one.',
  );
const EXAMPLE_CODES = ['7qk2-m0zx-94vd-hs3n-6f8w-p1rt'];

function passkeyObject({ id, name, rpId, createdAtMs, usedAtMs }: Passkey) {
  return {
    id,
    name,
    site: rpId,
    createdAt: isoTime(createdAtMs),
    ...(usedAtMs !== undefined && { lastUsedAt: isoTime(usedAtMs) }),
  };
}

const challengePasskey = operation({
  ...ofVisitor,
  method: 'POST',
  path: '/v1/session/passkey/options',
  id: 'challengePasskey',
  summary: 'Get what a passkey has to answer',
  description: 'For a sign-in and for a recent proof, within five minutes. Each challenge counts once.',
  readsOnly: true,
  answer: { description: 'The options.', schema: optionsSchema, example: EXAMPLE_OPTIONS },
  handle: async ({ baseUrl }, { passkeys }: Ports) => ({ value: await passkeys.challenge(siteAt(baseUrl)) }),
});

const signInByPasskey = operation({
  ...ofVisitor,
  method: 'POST',
  path: '/v1/session/passkey',
  id: 'signInByPasskey',
  summary: 'Sign in by a passkey alone',
  description: 'Sets the cookie as `POST /v1/session` does.',
  headers: signInHeaders,
  body: { schema: passkeyAnswer, example: EXAMPLE_ANSWER, limit: BODY_LIMITS.fields },
  answer: signedInAnswer,
  handle: async (request, { passkeys, sessions }: Ports) => {
    const { body, headers, cookies, baseUrl } = request;
    const { person, passkey } = await passkeys.answered(body, siteAt(baseUrl));
    const session = await sessions.open(person, {
      device: headers['User-Agent'],
      identityId: passkey.id,
      before: readSessionCookie(cookies, baseUrl),
    });
    request.identify(person.id);
    return signedIn({ person }, session, baseUrl);
  },
});

const confirmByPasskey = operation({
  ...ofSession,
  method: 'POST',
  path: '/v1/session/confirm/passkey',
  id: 'confirmByPasskey',
  summary: 'Prove again who one is, by a passkey',
  readsOnly: true,
  body: { schema: passkeyAnswer, example: EXAMPLE_ANSWER, limit: BODY_LIMITS.fields },
  answer: { status: 204, description: 'The person has proved who they are.' },
  handle: async ({ caller, body, baseUrl }, { people, sessions }: Ports & { readonly people: People }) => {
    await people.confirmByPasskey(await requireSession(caller, sessions), body, siteAt(baseUrl));
  },
});

const listPasskeys = operation({
  ...ofSession,
  method: 'GET',
  path: PATH,
  id: 'listPasskeys',
  summary: 'List the own passkeys',
  answer: {
    description: `All of them, at most ${MAX_PASSKEYS}.`,
    schema: z
      .object({
        passkeys: z.array(passkeySchema),
        required: z.boolean().describe('Whether the password signs in only together with a passkey.'),
        recoveryCodes: z.int().describe('How many are left.'),
      })
      .meta({ id: 'PasskeyList' }),
    example: { passkeys: [EXAMPLE_PASSKEY], required: false, recoveryCodes: RECOVERY_CODES },
  },
  handle: async ({ caller }, { passkeys, sessions }: Ports) => {
    const { person } = await requireSession(caller, sessions);
    const { isRequired: required, recoveryCodes } = await passkeys.stateOf(person);
    return {
      value: { passkeys: (await passkeys.list(person)).map(passkeyObject), required, recoveryCodes },
    };
  },
});

const preparePasskey = operation({
  ...ofConfirmedSession,
  method: 'POST',
  path: `${PATH}/options`,
  id: 'preparePasskey',
  summary: 'Get what the browser needs to make a passkey',
  readsOnly: true,
  answer: { description: 'The options.', schema: optionsSchema, example: EXAMPLE_OPTIONS },
  handle: async ({ caller, baseUrl }, { passkeys, sessions }: Ports) => {
    const { person } = await requireSession(caller, sessions);
    return { value: await passkeys.creation(person, siteAt(baseUrl)) };
  },
});

const addPasskey = operation({
  ...ofConfirmedSession,
  method: 'POST',
  path: PATH,
  id: 'addPasskey',
  summary: 'Add a passkey, which signs in alone from then on',
  description: `A person has at most ${MAX_PASSKEYS}. With the first one come ${RECOVERY_CODES} recovery codes.`,
  body: {
    schema: z
      .strictObject({ name: line(MAX_NAME_LENGTH), answer: passkeyAnswer })
      .meta({ id: 'PasskeyInput' }),
    example: { name: 'Phone', answer: EXAMPLE_ANSWER },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The passkey.',
    schema: z
      .object({ passkey: passkeySchema, recoveryCodes: codesSchema.optional() })
      .meta({ id: 'AddedPasskey' }),
    example: { passkey: EXAMPLE_PASSKEY, recoveryCodes: EXAMPLE_CODES },
    holdsSecret: true,
  },
  errors: ['session_not_found', 'quota_exceeded', 'confirmation_required'],
  handle: async ({ caller, body: { name, answer: response }, baseUrl }, { passkeys, sessions }: Ports) => {
    const { person } = await requireSession(caller, sessions);
    const added = await passkeys.add(person, { name, response }, siteAt(baseUrl));
    return { value: { ...added, passkey: passkeyObject(added.passkey) } };
  },
});

const removePasskey = operation({
  ...ofConfirmedSession,
  method: 'DELETE',
  path: `${PATH}/:passkeyId`,
  id: 'removePasskey',
  summary: 'Sign in by a passkey no more',
  description:
    'Sessions that began with it end within a second, but for that of the request. The last way to sign in stays. With the last passkey the recovery codes end.',
  params: z.object({ passkeyId: z.string().max(64).meta({ example: EXAMPLE_PASSKEY.id }) }),
  answer: { status: 204, description: 'The passkey is no way to sign in.' },
  errors: ['session_not_found', 'passkey_not_found', 'confirmation_required'],
  handle: async ({ caller, params }, { passkeys, sessions }: Ports) => {
    await passkeys.remove(await requireSession(caller, sessions), params.passkeyId);
  },
});

const requirePasskey = operation({
  ...ofConfirmedSession,
  method: 'PATCH',
  path: PATH,
  id: 'requirePasskey',
  summary: 'Ask for a passkey after the password, or for the password alone',
  body: {
    schema: z.strictObject({ required: z.boolean() }).meta({ id: 'PasskeyRule' }),
    example: { required: true },
    limit: BODY_LIMITS.fields,
  },
  answer: { status: 204, description: 'It is so from the next sign-in on.' },
  errors: ['session_not_found', 'conflict', 'confirmation_required'],
  handle: async ({ caller, body }, { passkeys, sessions }: Ports) => {
    const { person } = await requireSession(caller, sessions);
    await passkeys.require(person, body.required);
  },
});

const createRecoveryCodes = operation({
  ...ofConfirmedSession,
  method: 'POST',
  path: '/v1/people/me/recovery-codes',
  id: 'createRecoveryCodes',
  summary: 'Replace all recovery codes by new ones',
  answer: {
    status: 201,
    description: 'The codes.',
    schema: z.object({ recoveryCodes: codesSchema }).meta({ id: 'RecoveryCodes' }),
    example: { recoveryCodes: EXAMPLE_CODES },
    holdsSecret: true,
  },
  handle: async ({ caller }, { passkeys, sessions }: Ports) => {
    const { person } = await requireSession(caller, sessions);
    return { value: { recoveryCodes: await passkeys.newCodes(person.id) } };
  },
});

const removePassword = operation({
  ...ofConfirmedSession,
  method: 'DELETE',
  path: '/v1/people/me/password',
  id: 'removePassword',
  summary: 'Sign in by passkeys alone, without a password',
  answer: { status: 204, description: 'The person has no password.' },
  errors: ['session_not_found', 'conflict', 'confirmation_required'],
  handle: async ({ caller }, { passkeys, sessions }: Ports) => {
    const { person } = await requireSession(caller, sessions);
    await passkeys.removePassword(person);
  },
});

export const PASSKEY_OPERATIONS = [
  challengePasskey,
  signInByPasskey,
  confirmByPasskey,
  listPasskeys,
  preparePasskey,
  addPasskey,
  removePasskey,
  requirePasskey,
  createRecoveryCodes,
  removePassword,
] as const;
