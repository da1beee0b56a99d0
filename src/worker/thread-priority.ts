import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Of at most 19: threads that answer requests go first, yet an idle processor is used. */
const NICENESS = 10;
/** As libuv names the threads that decode images and run networks for all threads of Node. */
const POOL_THREAD = 'libuv-worker';
const CALLING_THREAD = 0;
const TASKS = '/proc/self/task';

/** For a process that answers no requests, from its main thread; on Linux, threads started later inherit it. */
export function lowerProcessPriority(): void {
  lower(CALLING_THREAD);
}

/** Puts the calling thread behind those that answer requests. Only Linux has a priority for each thread. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') lower(CALLING_THREAD);
}

/**
 * The same for libuv's pool, in which most of the work on an image is done; its threads exist from the first
 * asynchronous work on. Everything else that runs there waits for disks and hardly needs a processor.
 */
export function lowerPoolPriority(): void {
  if (process.platform !== 'linux') return;
  for (const task of readdirSync(TASKS)) {
    if (readFileSync(`${TASKS}/${task}/comm`, 'utf8').trim() === POOL_THREAD) lower(Number(task));
  }
}

/** Leaves a priority that is lower already: raising it takes a right that we may not have. */
function lower(task: number): void {
  if (getPriority(task) < NICENESS) setPriority(task, NICENESS);
}
