import { getPriority, setPriority } from 'node:os';

/** Of at most 19: processes that answer requests go first, yet an idle processor is used. */
const NICENESS = 10;

/**
 * Puts this process behind those that answer requests. To be called from its main thread before anything else, since on
 * Linux it is threads that have a priority, and those that are started later inherit it.
 */
export function lowerProcessPriority(): void {
  // A lower one stays: raising it takes a right that we may not have.
  if (getPriority() < NICENESS) setPriority(NICENESS);
}
