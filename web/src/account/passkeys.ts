import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { type AddedPasskey, LarderError, type PasskeyAnswer } from 'larder-client';
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
export async function answerByPasskey(): Promise<PasskeyAnswer> {
  const options = await ask('POST /v1/session/passkey/options');
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const answer = await tellingPeople(() => startAuthentication({ optionsJSON }), 'refused');
  return answer as object as PasskeyAnswer;
}

/** Rejects with an `Error` for people. */
export async function createPasskey(name: string): Promise<AddedPasskey> {
  const options = await ask('POST /v1/people/me/passkeys/options');
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const answer = await tellingPeople(() => startRegistration({ optionsJSON }), 'gaveUp');
  return ask('POST /v1/people/me/passkeys', { body: { name, answer: answer as object as PasskeyAnswer } });
}

/** Proves who is at the device. Rejects with an `Error` for people. */
export async function confirmByPasskey(): Promise<void> {
  const answer = await answerByPasskey();
  try {
    await ask('POST /v1/session/confirm/passkey', { body: answer });
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
