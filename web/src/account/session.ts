import { computed, signal } from '@preact/signals';
import type { Person } from 'larder-client';
import { ask } from './ask.ts';
import { openIdResult } from './openid-result.ts';

/** The person who is signed in: null for nobody, undefined until it is known. */
export const person = signal<Person | null | undefined>(undefined);

/** All people of the household; empty until they are read. */
export const people = signal<readonly Person[]>([]);

/** Whether the session ended during use: the view stays behind the sign-in form. */
export const hasExpired = signal(false);
/** The person who signed in last; views are reset for another person. */
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
  people.value = await ask('GET /v1/people');
  localStorage.setItem(PEOPLE, JSON.stringify(people.peek()));
}

/** True while the session is being ended: no new requests are sent, and refusals of earlier ones are ignored. */
export const isLeaving = signal(false);

/** Asks to sign in again, over what is on the screen. After the session was ended elsewhere nothing stays on this device. */
export function expire(error?: unknown): void {
  if (isLeaving.peek()) return;
  if (isEnded(error)) return void forgetPerson();
  hasExpired.value = person.peek() !== null;
  person.value = null;
}

function isEnded(error: unknown): boolean {
  return (error as { details?: { session?: string } } | undefined)?.details?.session === 'ended';
}

/** Who signed in last, as JSON. Browsers without it need not ask: whoever is signed out causes no failed request. */
export const MARK = 'larder-session';

/** Shows the last signed-in person at once, so that the page starts offline; the service may correct it later. */
export async function loadSession(): Promise<void> {
  const mark = localStorage.getItem(MARK);
  person.value = mark === null ? (openIdResult.peek() === 'done' ? undefined : null) : parsed(mark);
  if (person.peek() === null) return;
  // When the answer arrives, the views of this person stay, with what was typed until then.
  lastPerson.value = person.peek()?.id;
  people.value = parsed<Person[]>(localStorage.getItem(PEOPLE) ?? '[]') ?? [];
  const asked = ask('GET /v1/session').then(
    ({ person: self }) => begin(self),
    (error) => {
      if (isEnded(error)) void forgetPerson();
      else if (error.status === 401 || person.peek() === undefined) person.value = null;
    },
  );
  if (person.peek() === undefined) await asked;
}

export function parsed<T = Person>(mark: string): T | undefined {
  try {
    return JSON.parse(mark);
  } catch {
    return undefined;
  }
}

/** Work that ends before a person leaves this device, such as deleting what is kept on it. */
export const beforeLeaving: (() => Promise<void>)[] = [];

/** Deletes all data of the person from this device after the session has ended. */
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

/** Shows who has signed in. */
export function begin(signedIn: Person): void {
  if (lastPerson.peek() !== undefined && lastPerson.peek() !== signedIn.id) {
    // The list of people states what this person may see.
    forgetPeople();
  }
  const isKnown = JSON.stringify(person.peek()) === JSON.stringify(signedIn);
  localStorage.setItem(MARK, JSON.stringify(signedIn));
  hasExpired.value = false;
  lastPerson.value = signedIn.id;
  // Forms read again for another object.
  if (!isKnown) person.value = signedIn;
}
