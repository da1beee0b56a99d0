import { LarderError } from 'larder-client';
import { expire, person } from '../account/session.ts';
import { KeepingError } from '../offline/keeping-error.ts';
import { texts } from '../texts/texts.ts';
import { refusalText } from './refusal.ts';

/** The message of an error for people. After an expired session the sign-in form opens over the view. */
export function problemOf(error: unknown): string {
  const { problems, offline } = texts.value;
  if (error instanceof KeepingError) return offline.keeping[error.reason];
  if (!(error instanceof LarderError)) return problems.other;
  const { code, status } = error;
  if (code === 'connection_failed' || code === 'timeout' || code === 'unavailable') return problems.offline;
  if (code === 'rate_limit_exceeded') return problems.tooMany;
  if (code === 'version_conflict') return problems.conflict;
  // The person has closed the dialog that asked.
  if (code === 'confirmation_required') return '';
  const isSignedOut = person.value === null || person.value === undefined;
  if (isSignedOut && (status === 401 || code === 'forbidden')) return problems.wrongName;
  if (status === 401) {
    expire(error);
    return problems.expired;
  }
  return refusalText(error);
}
