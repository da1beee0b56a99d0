import type { Asked, SessionInput } from 'larder-client';
import { larder } from '../larder.ts';
import { ask } from './ask.ts';
import { begin, forgetPerson, isLeaving, MARK, parsed } from './session.ts';

/** The name of who signed in last on this device and did not sign out; empty if nobody did. */
export function lastName(): string {
  return parsed(localStorage.getItem(MARK) ?? '{}')?.name ?? '';
}

/** A proof besides the password. */
export type SecondFactor =
  | Pick<Required<SessionInput>, 'passkey'>
  | Pick<Required<SessionInput>, 'recoveryCode'>;

export function signIn(name: string, password: string, more: Partial<SessionInput> = {}): Promise<void> {
  return signInBy('POST /v1/session', { name, password, ...more });
}

type SignIn = 'POST /v1/session' | 'POST /v1/session/passkey';

/** Signs in by what this operation takes. */
export async function signInBy<Name extends SignIn>(name: Name, body: Asked<Name>['body']): Promise<void> {
  begin(await larder.ask<SignIn>(name, { body } as Asked<SignIn>));
}

/** `link` is the secret of an invitation, or of the link for the owner. */
export async function createAccount(link: string, name: string, password: string): Promise<void> {
  begin(await ask('POST /v1/people', { body: { link, name, password } }));
}

export async function signOut(): Promise<void> {
  isLeaving.value = true;
  try {
    await ask('DELETE /v1/session');
    await forgetPerson();
  } finally {
    isLeaving.value = false;
  }
}
