import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** The form of a mark, as a pattern without anchors. */
export const MARK_FORM = '[A-Za-z0-9_-]{43}';

/**
 * Returns what a browser keeps that has signed in with a password: guesses by strangers do not use up its sign-ins. It follows from
 * the PHC string, which nobody but the service knows, so a new password ends it.
 */
export function deviceMark(password: string): string {
  return createHmac('sha256', password).update('larder known device').digest('base64url');
}

/** Takes the same time for every mark and person. */
export function isKnownDevice(mark: string | undefined, password: string | undefined): boolean {
  const expected = hash('sha256', deviceMark(password ?? ''), 'buffer');
  return timingSafeEqual(hash('sha256', mark ?? '', 'buffer'), expected) && password !== undefined;
}
