import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import type { Caller } from '../../access/api-key.ts';
import { deviceOf } from '../../people/device.ts';
import type { Invitation } from '../../people/household-store.ts';
import type { PersonWithPassword } from '../../people/people-store.ts';
import { ACCESS, type Access, isSeenName, type Person, ROLES } from '../../people/person.ts';
import type { ActingSession, Sessions } from '../../people/sessions.ts';
import { creatorObject, creatorSchema } from '../access/key-json.ts';
import { isoTime } from '../fields.ts';
import type { Reply } from '../operation.ts';
import { deviceCookie, sessionCookie } from '../session-cookie.ts';
import { line, text } from '../text-schemas.ts';

const MAX_NAME_LENGTH = 60;
const MAX_LINK_LENGTH = 200;
const MAX_PASSWORD_LENGTH = 200;
const MIN_PASSWORD_LENGTH = 8;
/** WebAuthn allows 1,023 bytes. */
const MAX_CREDENTIAL_ID = 1_400;

/** The secret of a link. */
export const linkText = text(MAX_LINK_LENGTH);
export const personName = line(MAX_NAME_LENGTH).refine(isSeenName, 'must be one line of printable text');
export const password = text(MAX_PASSWORD_LENGTH);
/** Result of `navigator.credentials` in the browser, as JSON (WebAuthn 3, 5.1). The service checks all of it. */
export const passkeyAnswer = z
  .looseObject({
    id: z.string().min(1).max(MAX_CREDENTIAL_ID),
    rawId: z.string().max(MAX_CREDENTIAL_ID),
    type: z.literal('public-key'),
    response: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'PasskeyAnswer', description: 'What the browser answers, by its `toJSON()`.' });
export const recoveryCode = line(40).meta({ example: '7qk2-m0zx-94vd-hs3n-6f8w-p1rt' });

/** A password that a person chooses. */
export const newPassword = password
  .refine(
    (value) => [...value].length >= MIN_PASSWORD_LENGTH,
    `must have at least ${MIN_PASSWORD_LENGTH} characters`,
  )
  .meta({ ...password.meta(), minLength: MIN_PASSWORD_LENGTH });

export const personSchema = z
  .object({
    id: z.string().describe('Id of the person, and of the user whose diary is this person’s.'),
    name: z.string(),
    role: z.enum(['owner', 'member']),
    createdAt: z.iso.datetime(),
    access: z.enum(['own', ...ACCESS]).describe('What the caller may do with the diary of the person.'),
  })
  .meta({ id: 'Person', description: 'A member of the household.' });

const sessionSchema = z
  .object({ id: z.string(), createdAt: z.iso.datetime(), expiresAt: z.iso.datetime() })
  .meta({ id: 'Session' });

export const sessionAnswer = z
  .object({
    person: personSchema,
    scopes: z.array(z.string()),
    session: sessionSchema,
    password: z
      .object({
        isSet: z.boolean(),
        maySetFirst: z
          .boolean()
          .describe(
            'Whether the person has none and proved who they are within the last five minutes, so that this session may set one.',
          ),
        reset: z
          .object({
            createdAt: z.iso.datetime(),
            by: z.string().optional().describe('The name of who made the link.'),
          })
          .meta({ id: 'SeenPasswordReset' })
          .optional()
          .describe('Says that it was set by a link, until `DELETE /v1/people/me/password/reset`.'),
      })
      .meta({ id: 'PasswordState' }),
    confirmation: z
      .object({
        expiresAt: z.iso
          .datetime()
          .describe('Until when the session makes credentials without a new proof of who the person is.'),
        methods: z
          .array(z.string())
          .describe('How the person can prove it: `password`, `openid`, `passkey`.'),
      })
      .meta({ id: 'ConfirmationState' }),
  })
  .meta({ id: 'SessionAnswer' });

export const EXAMPLE_PERSON = {
  id: '01KB0T2X5M0000XW5M8KQ2NCE7',
  name: 'Ann',
  role: 'owner',
  createdAt: '2026-11-26T08:00:00.000Z',
  access: 'own',
};

export function personObject({ id, name, role, createdAtMs }: Person, access: 'own' | Access = 'own') {
  return { id, name, role, createdAt: isoTime(createdAtMs), access };
}

/** Request headers of a sign-in; the list of sessions shows the device. */
export const signInHeaders = z.object({
  'User-Agent': z
    .string()
    .transform(deviceOf)
    .optional()
    .describe('Names the device of the session.')
    .meta({ example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }),
});

/** Returns the session of the caller. Rejects with `not_found` for other credentials. */
export async function requireSession({ session }: Caller, sessions: Sessions): Promise<ActingSession> {
  const found = session === undefined ? undefined : await sessions.get(session);
  if (found !== undefined) return { ...found, value: session! };
  throw new AppError({ code: 'session_not_found', message: 'This credential is not a session.' });
}

/** Like `requireSession`, but also rejects with `forbidden` for people who are not owners. */
export async function requireOwner(caller: Caller, sessions: Sessions): Promise<ActingSession> {
  const found = await requireSession(caller, sessions);
  if (found.person.role === 'owner') return found;
  throw new AppError({ code: 'forbidden', message: 'Only owners of the household may do this.' });
}

/**
 * Returns the response to a sign-in, with the cookies of the session, and of the device after a sign-in by
 * password.
 */
export function signedIn({ person, password }: PersonWithPassword, session: string, baseUrl: string): Reply {
  const cookies = [sessionCookie(baseUrl, session)];
  if (password !== undefined) cookies.push(deviceCookie(baseUrl, password));
  return { headers: { 'set-cookie': cookies }, body: JSON.stringify(personObject(person)) };
}

export const invitationFields = {
  id: z.string(),
  role: z.enum(ROLES),
  expiresAt: z.iso.datetime(),
  createdBy: creatorSchema.optional().describe('Absent for those from before version 1.0.0.'),
};

export const invitationSchema = z.object(invitationFields).meta({ id: 'Invitation' });

export function invitationObject({ id, role, expiresAtMs, createdBy }: Invitation) {
  return { id, role, expiresAt: isoTime(expiresAtMs), createdBy: creatorObject(createdBy) };
}

/** Declarations that operations share that a session calls, those that need a recent proof, and those of people who sign in. */
export const ofSession = {
  tag: 'People',
  access: { credential: 'bearer' },
  counts: 'other',
  errors: ['session_not_found'],
} as const;
export const ofConfirmedSession = {
  ...ofSession,
  access: { credential: 'bearer', confirmed: true },
  errors: ['session_not_found', 'confirmation_required'],
} as const;
export const ofVisitor = {
  tag: 'People',
  access: 'public',
  counts: 'other',
  ownPagesOnly: true,
  errors: ['forbidden'],
} as const;

export const signedInAnswer = {
  status: 201,
  description: 'The person, who is signed in.',
  headers: ['Set-Cookie'],
  schema: personSchema,
  example: EXAMPLE_PERSON,
  holdsSecret: true,
} as const;
