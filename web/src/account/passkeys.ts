import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { type AddedPasskey, LarderError } from 'larder-client';
import { texts as allTexts } from '../texts/texts.ts';
import { ask } from './ask.ts';

/** Numbers of IPv4, and the brackets of IPv6: no passkey is bound to them. */
const NUMBER = /^[\d.]+$|^\[/;

/** Why this browser has no passkeys at this address; empty if it has. */
export function passkeyObstacle(): string {
  const texts = allTexts.value.passkeys;
  if (!isSecureContext || NUMBER.test(location.hostname)) return texts.insecure;
  return browserSupportsWebAuthn() ? '' : texts.unsupported;
}

/** Has a passkey of this device answer a challenge of the service. Rejects with an `Error` for people. */
export async function answerByPasskey(): Promise<object> {
  const optionsJSON = await ask<PublicKeyCredentialRequestOptionsJSON>('POST', '/v1/session/passkey/options');
  return tellingPeople(() => startAuthentication({ optionsJSON }), 'refused');
}

/** Rejects with an `Error` for people. */
export async function createPasskey(name: string): Promise<AddedPasskey> {
  const path = '/v1/people/me/passkeys';
  const optionsJSON = await ask<PublicKeyCredentialCreationOptionsJSON>('POST', `${path}/options`);
  const answer = await tellingPeople(() => startRegistration({ optionsJSON }), 'gaveUp');
  return ask<AddedPasskey>('POST', path, { name, answer });
}

/** Proves who is at the device. Rejects with an `Error` for people. */
export async function confirmByPasskey(): Promise<void> {
  const answer = await answerByPasskey();
  try {
    await ask('POST', '/v1/session/confirm/passkey', answer);
  } catch (cause) {
    if (!(cause instanceof LarderError) || cause.code !== 'forbidden') throw cause;
    throw new PasskeyProblem(allTexts.value.passkeys.refused, { cause });
  }
}

/** What a person is told of a browser that refused. */
export class PasskeyProblem extends Error {}

async function tellingPeople<Answer>(
  work: () => Promise<Answer>,
  otherwise: 'refused' | 'gaveUp',
): Promise<Answer> {
  try {
    return await work();
  } catch (cause) {
    const texts = allTexts.value.passkeys;
    const isKnown =
      cause instanceof WebAuthnError && cause.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    throw new PasskeyProblem(isKnown ? texts.known : texts[otherwise], { cause });
  }
}
