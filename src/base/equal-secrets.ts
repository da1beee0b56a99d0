import { timingSafeEqual } from 'node:crypto';

/**
 * Compares signatures and tickets as texts, since several texts decode to the same bytes, in a time that tells nothing about where
 * they differ.
 */
export function areEqualSecrets(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
