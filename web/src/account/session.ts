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

/** Who signed in last, as JSON. Browsers without it need not ask: whoever is signed out causes no failed request. */
const MARK = 'larder-session';

/** Shows who signed in last at once, so that the page starts without the service, which may correct it. */
export async function loadSession(): Promise<void> {
  const mark = localStorage.getItem(MARK);
  person.value = mark === null ? null : parsed(mark);
  if (mark === null) return;
  const asked = ask('GET', '/v1/session').then(begin, (error) => {
    const isRefused = error instanceof LarderError && error.status === 401;
    if (isRefused || person.peek() === undefined) person.value = null;
  });
  if (person.peek() === undefined) await asked;
}

function parsed(mark: string): Person | undefined {
  try {
    return JSON.parse(mark);
  } catch {
    return undefined;
  }
}

export async function signIn(name: string, password: string): Promise<void> {
  begin(await ask('POST', '/v1/session', { name, password }));
}

/** `link` is the secret of an invitation, or of the link for the owner. */
export async function createAccount(link: string, name: string, password: string): Promise<void> {
  begin(await ask('POST', '/v1/people', { link, name, password }));
}

/** Work that ends before a person leaves this device, such as deleting what is kept on it. */
export const beforeLeaving: (() => Promise<void>)[] = [];

export async function signOut(): Promise<void> {
  await ask('DELETE', '/v1/session');
  for (const work of beforeLeaving) await work();
  localStorage.removeItem(MARK);
  person.value = null;
}

function begin(signedIn: Person): void {
  localStorage.setItem(MARK, JSON.stringify(signedIn));
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
