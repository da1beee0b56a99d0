import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Outcome, Scene } from '../attack.ts';

const ATTACKER = join(import.meta.dirname, 'attacker-process.ts');
/** The attacker shares two processors with the service and the victim. A lower priority keeps its own work from being the cost. */
export const ATTACKER_NICE = 10;
/** After its limit an attack has to finish what is under way. */
const GRACE_MS = 120_000;

export interface AttackOrder
  extends Pick<
    Scene,
    'mode' | 'url' | 'pid' | 'key' | 'victimKey' | 'dataDir' | 'settings' | 'clockFile' | 'folder'
  > {
  readonly name: string;
  readonly seed: number;
  readonly isFull: boolean;
  readonly limitMs: number;
}

export interface AttackReport extends Outcome {
  /** Answers by status. */
  readonly counts: readonly (readonly [status: string, count: number])[];
  readonly cpuSeconds: number;
}

/** Carries out one attack in a process of its own. */
export function runAttacker(order: AttackOrder): Promise<AttackReport> {
  const child = spawn('nice', ['-n', String(ATTACKER_NICE), process.execPath, ATTACKER], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve) => {
    const fail = (reason: string) =>
      resolve({ sent: '', breaches: [`the attack broke: ${reason}`], counts: [], cpuSeconds: 0 });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('it did not end in time');
    }, order.limitMs + GRACE_MS);
    child.once('message', (report) => resolve(report as AttackReport));
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`its process ended with ${signal ?? code}`);
    });
    child.send(order);
  });
}
