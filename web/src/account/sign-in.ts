import type { Person } from 'larder-client';
import { ask, send } from './ask.ts';
import { begin, forgetPerson, isLeaving, MARK, parsed } from './session.ts';

/** The name of who signed in last on this device and did not sign out; empty if nobody did. */
export function lastName(): string {
  return parsed(localStorage.getItem(MARK) ?? '{}')?.name ?? '';
}

/** What somebody has besides the password. */
export type SecondFactor = { readonly passkey: object } | { readonly recoveryCode: string };

export function signIn(name: string, password: string, more: SecondFactor | object = {}): Promise<void> {
  return signInBy('/v1/session', { name, password, ...more });
}

/** Signs in by what is sent to this path. */
export async function signInBy(path: string, body: object): Promise<void> {
  begin(await send<Person>('POST', path, body));
}

/** `link` is the secret of an invitation, or of the link for the owner. */
export async function createAccount(link: string, name: string, password: string): Promise<void> {
  begin(await ask<Person>('POST', '/v1/people', { link, name, password }));
}

export async function signOut(): Promise<void> {
  isLeaving.value = true;
  try {
    await ask('DELETE', '/v1/session');
    await forgetPerson();
  } finally {
    isLeaving.value = false;
  }
}
