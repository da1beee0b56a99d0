import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Sample } from './samples.ts';
import type { Verified } from './victim.ts';

const VICTIM = join(import.meta.dirname, 'victim-process.ts');

export type VictimOrder =
  | { readonly do: 'use'; readonly url: string; readonly key: string }
  | { readonly do: 'begin' | 'end' | 'verify' };

/** The victim, seen from the process that runs the attacks. */
export class VictimHandle implements AsyncDisposable {
  readonly #child: ChildProcess = fork(VICTIM, { execArgv: [], serialization: 'advanced' });

  constructor({ url, key }: { readonly url: string; readonly key: string }) {
    this.#child.send({ do: 'use', url, key } satisfies VictimOrder);
  }

  begin(): void {
    this.#child.send({ do: 'begin' } satisfies VictimOrder);
  }

  end(): Promise<readonly Sample[]> {
    return this.#ask('end');
  }

  verify(): Promise<Verified> {
    return this.#ask('verify');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }

  async #ask<Answer>(what: 'end' | 'verify'): Promise<Answer> {
    const answered = once(this.#child, 'message');
    this.#child.send({ do: what } satisfies VictimOrder);
    return (await answered)[0] as Answer;
  }
}
