import { computed, signal } from '@preact/signals';
import { LarderError, type PeopleList, type Person, type PersonAnswer } from 'larder-client';
import { ask, send } from './ask.ts';
import { openIdResult } from './openid-result.ts';

/** The person who is signed in: null for nobody, undefined until it is known. */
export const person = signal<Person | null | undefined>(undefined);

/** All people of the household; empty until they are read. */
export const people = signal<readonly Person[]>([]);

/** Whether the session ended while somebody was at work, whose view waits behind the form to sign in. */
export const hasExpired = signal(false);
/** Who signed in last: the views of somebody else begin anew. */
export const lastPerson = signal<string | undefined>(undefined);

/** Whose diary was chosen, for a reload of this tab too. */
const CHOSEN = 'larder-viewed';
const chosen = signal(sessionStorage.getItem(CHOSEN) ?? undefined);
/** The list of people as it was read last, so that it is there without the service. */
const PEOPLE = 'larder-people';

/** Whose diary is shown: the own one, unless another one was chosen that may be seen. */
export const viewedPerson = computed(() => {
  const other = people.value.find(({ id, access }) => id === chosen.value && access !== 'none');
  return other ?? person.value ?? undefined;
});

export function viewPerson(id: string): void {
  chosen.value = id;
  sessionStorage.setItem(CHOSEN, id);
}

function forgetPeople(): void {
  people.value = [];
  chosen.value = undefined;
  sessionStorage.removeItem(CHOSEN);
  localStorage.removeItem(PEOPLE);
}

export async function loadPeople(): Promise<void> {
  people.value = (await ask<PeopleList>('GET', '/v1/people')).people;
  localStorage.setItem(PEOPLE, JSON.stringify(people.peek()));
}

/** While the session is being ended: nothing more is asked, and what was asked may be refused. */
export const isLeaving = signal(false);

/** Asks to sign in again, over what is on the screen. */
export function expire(): void {
  if (isLeaving.peek()) return;
  hasExpired.value = person.peek() !== null;
  person.value = null;
}

/** Who signed in last, as JSON. Browsers without it need not ask: whoever is signed out causes no failed request. */
const MARK = 'larder-session';

/** Shows who signed in last at once, so that the page starts without the service, which may correct it. */
export async function loadSession(): Promise<void> {
  const mark = localStorage.getItem(MARK);
  person.value = mark === null ? (openIdResult.peek() === 'done' ? undefined : null) : parsed(mark);
  if (person.peek() === null) return;
  // The views of this person stay when the answer arrives, with what was typed by then.
  lastPerson.value = person.peek()?.id;
  people.value = parsed<Person[]>(localStorage.getItem(PEOPLE) ?? '[]') ?? [];
  const asked = ask<PersonAnswer>('GET', '/v1/session').then(
    ({ person: self }) => begin(self),
    (error) => {
      const isRefused = error instanceof LarderError && error.status === 401;
      if (isRefused || person.peek() === undefined) person.value = null;
    },
  );
  if (person.peek() === undefined) await asked;
}

/** The name of who signed in last on this device and did not sign out; empty if nobody did. */
export function lastName(): string {
  return parsed(localStorage.getItem(MARK) ?? '{}')?.name ?? '';
}

function parsed<T = Person>(mark: string): T | undefined {
  try {
    return JSON.parse(mark);
  } catch {
    return undefined;
  }
}

/** What somebody has besides the password. */
export type SecondFactor = { readonly passkey: object } | { readonly recoveryCode: string };

export function signIn(name: string, password: string, more: SecondFactor | object = {}): Promise<void> {
  return signInBy('/v1/session', { name, password, ...more });
}

/** Signs in by what is sent to this path. */
export async function signInBy(path: string, body: object): Promise<void> {
  begin((await send<PersonAnswer>('POST', path, body)).person);
}

/** `link` is the secret of an invitation, or of the link for the owner. */
export async function createAccount(link: string, name: string, password: string): Promise<void> {
  begin((await ask<PersonAnswer>('POST', '/v1/people', { link, name, password })).person);
}

/** Work that ends before a person leaves this device, such as deleting what is kept on it. */
export const beforeLeaving: (() => Promise<void>)[] = [];

export async function signOut(): Promise<void> {
  isLeaving.value = true;
  try {
    await ask('DELETE', '/v1/session');
    await forgetPerson();
  } finally {
    isLeaving.value = false;
  }
}

/** Leaves nothing of the person on this device, whose session has ended. */
export async function forgetPerson(): Promise<void> {
  isLeaving.value = true;
  try {
    for (const work of beforeLeaving) await work();
    localStorage.removeItem(MARK);
    hasExpired.value = false;
    person.value = null;
    forgetPeople();
  } finally {
    isLeaving.value = false;
  }
}

function begin(signedIn: Person): void {
  if (lastPerson.peek() !== undefined && lastPerson.peek() !== signedIn.id) {
    // The list says what somebody else may see.
    forgetPeople();
  }
  const isKnown = JSON.stringify(person.peek()) === JSON.stringify(signedIn);
  localStorage.setItem(MARK, JSON.stringify(signedIn));
  hasExpired.value = false;
  lastPerson.value = signedIn.id;
  // Forms read again for another object.
  if (!isKnown) person.value = signedIn;
}
