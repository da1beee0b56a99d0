import type { MessagePort, Worker } from 'node:worker_threads';
import { received, type TransferredError, transferred } from '../error-transfer.ts';

/** Calls that may wait for their answer at one time; more are refused. */
const MAX_PENDING_CALLS = 256;

/** The functions that one side offers to the other, by name; each takes one argument. */
export type Calls<T> = { readonly [Name in keyof T]: (argument: never) => unknown };
type Argument<F> = F extends (argument: infer A) => unknown ? A : never;
type Result<F> = F extends (argument: never) => infer R ? Awaited<R> : never;

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: TransferredError };

/** The way to another process; what is sent over it is copied. */
export interface ProcessPort {
  postMessage(message: object, transfer?: ArrayBuffer[]): void;
  onMessage(listener: (message: object) => void): void;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Function calls between two threads or processes: this side calls the functions of `Remote`, and answers calls with
 * those of `local`. Every call ends: with a result, with the other side's error (see `error-transfer.ts`), or with a time-out.
 */
export class Channel<Remote extends Calls<Remote>> {
  readonly #port: MessagePort | Worker | ProcessPort;
  readonly #local: Record<string, (argument: never) => unknown>;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor({ port, local }: { port: MessagePort | Worker | ProcessPort; local: Calls<unknown> }) {
    this.#port = port;
    this.#local = local;
    const receive = (message: object) => void this.#receive(message as Message);
    if ('onMessage' in port) port.onMessage(receive);
    else port.on('message', receive);
  }

  call<Name extends keyof Remote & string>(
    name: Name,
    argument: Argument<Remote[Name]>,
    { timeoutMs, transfer = [] }: { timeoutMs: number; transfer?: readonly ArrayBuffer[] },
  ): Promise<Result<Remote[Name]>> {
    if (this.#pending.size >= MAX_PENDING_CALLS) {
      return Promise.reject(new Error(`${name}: ${MAX_PENDING_CALLS} calls are waiting already`));
    }
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#take(id)?.reject(new Error(`${name}: no answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      this.#pending.set(id, { resolve: resolve as Pending['resolve'], reject, timer });
      this.#send({ kind: 'call', id, name, argument }, transfer);
    });
  }

  /** Fails every call that waits; the other side is gone. */
  close(reason: Error): void {
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(reason);
  }

  async #receive(message: Message): Promise<void> {
    if (message.kind === 'result') this.#take(message.id)?.resolve(message.result);
    else if (message.kind === 'failure') this.#take(message.id)?.reject(received(message.error));
    else await this.#answer(message.id, message.name, message.argument);
  }

  async #answer(id: number, name: string, argument: unknown): Promise<void> {
    try {
      const result = await this.#local[name]!(argument as never);
      this.#send({ kind: 'result', id, result });
    } catch (error) {
      this.#send({ kind: 'failure', id, error: transferred(error) });
    }
  }

  #send(message: Message, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, [...transfer]);
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    return pending;
  }
}
