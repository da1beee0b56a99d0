import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Of 19: whoever answers requests goes first, and an idle processor is used nevertheless. */
const NICENESS = 10;
/** As libuv names the threads that decode images and run networks for all threads of Node. */
const POOL_THREAD = 'libuv-worker';
const CALLING_THREAD = 0;
const TASKS = '/proc/self/task';

/** For a process that answers nobody, from its main thread; on Linux, threads begun later take it over. */
export function lowerProcessPriority(): void {
  lower(CALLING_THREAD);
}

/** Lets the calling thread step back behind those that answer requests. Linux alone has a priority for each thread. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') lower(CALLING_THREAD);
}

/**
 * The same for the pool in which most of the work on an image is done; its threads exist from the first asynchronous
 * work on. What else runs there waits for disks, and hardly needs a processor.
 */
export function lowerPoolPriority(): void {
  if (process.platform !== 'linux') return;
  for (const task of readdirSync(TASKS)) {
    if (readFileSync(`${TASKS}/${task}/comm`, 'utf8').trim() === POOL_THREAD) lower(Number(task));
  }
}

/** What was started with less is left: raising takes a right that we may not have. */
function lower(task: number): void {
  if (getPriority(task) < NICENESS) setPriority(task, NICENESS);
}
