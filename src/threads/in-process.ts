import type { Calls, Channel } from './channel.ts';
import { Child, type ProcessOptions, type StartOptions } from './child.ts';

export interface ProcessTaskOptions<Options> extends ProcessOptions, Omit<StartOptions, 'transfer'> {
  readonly options: Options;
  readonly signal: AbortSignal;
}

/** Does one thing in a process of its own, which ends afterwards, or when `signal` is aborted. */
export async function inProcess<Remote extends Calls<Remote>, Options, T>(
  { options, signal, timeoutMs, ...how }: ProcessTaskOptions<Options>,
  task: (channel: Channel<Remote>) => Promise<T>,
): Promise<T> {
  const child = Child.process<Remote, Options>(how);
  const giveUp = () => void child.kill(signal.reason);
  signal.addEventListener('abort', giveUp);
  try {
    await child.start(options, { signal, ...(timeoutMs !== undefined && { timeoutMs }) });
    return await task(child.channel);
  } finally {
    signal.removeEventListener('abort', giveUp);
    await child.kill(new Error('it is done'));
  }
}
