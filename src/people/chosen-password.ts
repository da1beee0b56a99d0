import { AppError } from '@larder/core/errors.ts';
import { nameKey } from './person.ts';

/** Digits and signs that people add to a word to make a password of it. */
const ADDED = /^[\p{N}\p{P}\p{S}\s]+|[\p{N}\p{P}\p{S}\s]+$/gu;
const SERVICE = 'larder';

/** Rejects with `invalid_request` for a password that is guessed first: one of the commonest, or the own name or that of the service. */
export async function requireUncommon(password: string, names: readonly string[]): Promise<void> {
  const written = password.normalize('NFKC').toLowerCase();
  const word = nameKey(password.replaceAll(ADDED, ''));
  if ([SERVICE, ...names.map(nameKey)].some((name) => isRepeated(word, name)))
    throw refusal(
      'name',
      'A password that is the own name, or that of the service, is guessed first; choose another one.',
    );
  // Read when a password is chosen, which is rare, and released after that.
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  if (dictionary['passwords-common'].includes(written))
    throw refusal(
      'common',
      'This is one of the commonest passwords, which are guessed first; choose another one.',
    );
}

function isRepeated(word: string, name: string): boolean {
  return word !== '' && name !== '' && word.replaceAll(name, '') === '';
}

function refusal(weakness: 'common' | 'name', message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields: ['password'], weakness } });
}
