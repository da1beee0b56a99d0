import { setTimeout } from 'node:timers/promises';
import { LEASE_MS } from '../../../src/scan/jobs/scan-attempt.ts';
import type { Fault, Scene } from './fault.ts';

/** A worker holds one image in analysis and one being fetched or settled; more jobs belong to two workers. */
const JOBS_OF_ONE_WORKER = 2;
const BURST = 10;
const LOOK_EVERY_MS = 5;
/** Time in which the other worker finishes all unclaimed jobs. */
const OTHERS_DONE_MS = 3_000;
const MAX_TRIES = 5;
const TAKEN_OVER = 'a scan was removed, or taken over by another worker, meanwhile';

/** A worker dies with jobs and is restarted. */
export const killWorker: Fault = {
  name: 'a worker is killed',
  async run(scene) {
    const { lab, history, random } = scene;
    const victim = random.below(lab.workers.length);
    const { done } = await untilBothWork(scene);
    const startMs = history.nowMs();
    await lab.kill(lab.workers[victim]!);
    await lab.startWorker(victim);
    await noteLease(scene, this.name, startMs);
    await done;
  },
};

/**
 * A worker freezes for longer than its lease; others take its jobs. Then it continues and can no longer settle them.
 */
export const freezeWorker: Fault = {
  name: 'a worker is frozen past its lease',
  async run(scene) {
    const { lab, history, random } = scene;
    const { child, lines } = lab.workers[random.below(lab.workers.length)]!;
    for (let tries = 1; ; tries++) {
      const { done } = await untilBothWork(scene);
      const startMs = history.nowMs();
      child.kill('SIGSTOP');
      await setTimeout(OTHERS_DONE_MS);
      const held = await lab.audit.heldJobs();
      if (held.length === 0 && tries < MAX_TRIES) {
        child.kill('SIGCONT');
        await done;
        continue;
      }
      await noteLease(scene, this.name, startMs);
      await done;
      if ((await lab.audit.takeovers(held)) < 1)
        throw new Error('no job of the frozen worker was taken over');
      child.kill('SIGCONT');
      while (!lines.some(({ msg }) => msg === TAKEN_OVER)) await setTimeout(LOOK_EVERY_MS);
      return;
    }
  },
};

/**
 * Resolves when more jobs are held than one worker could hold; the inner promise resolves when all of them
 * are done.
 */
async function untilBothWork({ lab, load }: Scene): Promise<{ readonly done: Promise<unknown> }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    let isOver = false;
    const done = load.burst(BURST).then(() => {
      isOver = true;
    });
    while (!isOver) {
      if ((await lab.audit.heldJobs()).length > JOBS_OF_ONE_WORKER) return { done };
      await setTimeout(LOOK_EVERY_MS);
    }
  }
  throw new Error('the workers never worked both');
}

/** The fault ends with the lease: then others may take the worker's jobs. */
async function noteLease({ history }: Scene, name: string, startMs: number): Promise<void> {
  const endMs = startMs + LEASE_MS;
  history.note({ kind: 'fault', name, startMs, endMs, allows: [] });
  await setTimeout(endMs - history.nowMs());
}
