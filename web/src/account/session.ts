import { signal } from '@preact/signals';
import { type ErrorCode, LarderError } from 'larder-client';
import { larder } from '../larder.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: 'owner' | 'member';
}

/** The person who is signed in: null for nobody, undefined until it is known. */
export const person = signal<Person | null | undefined>(undefined);

/** Browsers without it need not ask: whoever is signed out causes no failed request. */
const MARK = 'larder-session';

export async function loadSession(): Promise<void> {
  if (localStorage.getItem(MARK) === null) {
    person.value = null;
    return;
  }
  try {
    person.value = await ask('GET', '/v1/session');
  } catch (error) {
    if (!(error instanceof LarderError) || error.status !== 401) throw error;
    person.value = null;
  }
}

export async function signIn(name: string, password: string): Promise<void> {
  begin(await ask('POST', '/v1/session', { name, password }));
}

/** `link` is the secret of an invitation, or of the link for the owner. */
export async function createAccount(link: string, name: string, password: string): Promise<void> {
  begin(await ask('POST', '/v1/people', { link, name, password }));
}

export async function signOut(): Promise<void> {
  await ask('DELETE', '/v1/session');
  localStorage.removeItem(MARK);
  person.value = null;
}

function begin(signedIn: Person): void {
  localStorage.setItem(MARK, '');
  person.value = signedIn;
}

async function ask(method: string, path: string, body?: object): Promise<Person> {
  const response = await larder.request(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = response.status === 204 ? undefined : await response.json();
  if (response.ok) return answer?.person;
  const { code, message, details } = answer.error as { code: ErrorCode; message: string; details: object };
  throw new LarderError({ code, message, details: details as never, status: response.status });
}
