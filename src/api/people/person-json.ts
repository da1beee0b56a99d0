import { z } from 'zod';
import type { Person } from '../../people/person.ts';
import type { Reply } from '../operation.ts';
import { sessionCookie } from '../session-cookie.ts';
import { line, text } from '../text-schemas.ts';

const MAX_NAME_LENGTH = 60;
const MAX_PASSWORD_LENGTH = 200;
const MIN_PASSWORD_LENGTH = 8;

export const personName = line(MAX_NAME_LENGTH);
export const password = text(MAX_PASSWORD_LENGTH);
/** A password that a person chooses. */
export const newPassword = password
  .refine(
    (value) => [...value].length >= MIN_PASSWORD_LENGTH,
    `must have at least ${MIN_PASSWORD_LENGTH} characters`,
  )
  .meta({ ...password.meta(), minLength: MIN_PASSWORD_LENGTH });

const personSchema = z
  .object({
    id: z.string().describe('Id of the person, and of the user whose diary is this person’s.'),
    name: z.string(),
    role: z.enum(['owner', 'member']),
    createdAt: z.iso.datetime(),
    access: z.literal('own').describe('Rights of the caller in the diary of the person.'),
  })
  .meta({ id: 'Person', description: 'A member of the household.' });

const sessionSchema = z
  .object({ id: z.string(), createdAt: z.iso.datetime(), expiresAt: z.iso.datetime() })
  .meta({ id: 'Session' });

export const personAnswer = z.object({ person: personSchema }).meta({ id: 'PersonAnswer' });
export const sessionAnswer = z
  .object({
    person: personSchema,
    scopes: z.array(z.string()),
    session: sessionSchema,
  })
  .meta({ id: 'SessionAnswer' });

export const EXAMPLE_PERSON = {
  id: '01KB0T2X5M0000XW5M8KQ2NCE7',
  name: 'Ann',
  role: 'owner',
  createdAt: '2026-11-26T08:00:00.000Z',
  access: 'own',
};

export function personObject({ id, name, role, createdAtMs }: Person) {
  return { id, name, role, createdAt: new Date(createdAtMs).toISOString(), access: 'own' };
}

/** Returns the answer to who signs in, with the cookie of the session. */
export function signedIn(person: Person, session: string, baseUrl: string): Reply {
  return {
    headers: { 'set-cookie': sessionCookie(baseUrl, session) },
    body: JSON.stringify({ person: personObject(person) }),
  };
}
