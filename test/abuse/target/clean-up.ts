import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Reads commands until its input ends, which it does with the process at the other end, and then runs the last ones first. */
const SCRIPT = 'todo=; while IFS= read -r line; do todo="$line; $todo"; done; eval "$todo"';
/** How often within ten seconds a process that was asked to end is looked for. */
const LOOKS = 20;

/**
 * Commands that a shell runs where this process ends without disposing of this, however it ends: by a signal, by SIGKILL, by a
 * crash. The shell has a process group of its own, so that what is typed at a terminal does not end it.
 */
export class CleanUp implements Disposable {
  readonly #shell = spawn('sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });

  constructor() {
    this.#shell.unref();
    (this.#shell.stdin as Socket).unref();
  }

  add(command: string): void {
    this.#shell.stdin.write(`${command}\n`);
  }

  /** SIGTERM, and SIGKILL for one that does not end. */
  endProcess(pid: number): void {
    this.add(
      `kill -TERM ${pid}; n=${LOOKS}; while kill -0 ${pid} && [ $n -gt 0 ]; do sleep 0.5; n=$((n-1)); done; kill -KILL ${pid}`,
    );
  }

  [Symbol.dispose](): void {
    this.#shell.kill('SIGKILL');
  }
}
