import { type MessagePort, receiveMessageOnPort, type Transferable, type Worker } from 'node:worker_threads';
import { BusyError, OutageError } from '@larder/core/errors.ts';
import { received, type TransferredError, transferred } from './error-transfer.ts';

/** Maximum pending calls; more are rejected. */
const MAX_WAITING = 256;

/** The functions that one side offers to the other, by name; each takes one argument. */
export type Calls<T> = { readonly [Name in keyof T]: (argument: never) => unknown };
type Argument<F> = F extends (argument: infer A) => unknown ? A : never;
type Result<F> = F extends (argument: never) => infer R ? Awaited<R> : never;

export interface CallMessage {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

export type CallOutcome = { readonly result: unknown } | { readonly error: TransferredError };

/** Answers to several calls travel in one message. */
export type AnswerMessage = readonly ({ readonly id: number } & CallOutcome)[];

/** Messages to and from another process are copied. */
export interface ProcessPort {
  postMessage(message: object, transfer?: readonly Transferable[]): void;
  onMessage(listener: (message: object) => void): void;
}

export interface ChannelOptions {
  readonly port: MessagePort | Worker | ProcessPort;
  /** The functions that the other side may call. */
  readonly local?: Calls<unknown>;
  /** Maximum sum of the weights of pending calls. */
  readonly maxWaiting?: number;
  /** For a `MessagePort`: whether it keeps its thread alive only while a call is pending. */
  readonly isUnrefIdle?: boolean;
}

export interface CallOptions {
  /** Without a time limit, only the end of the other side ends the wait. */
  readonly timeoutMs?: number;
  /** Weight of the call in the limit of pending calls; 1 by default. */
  readonly weight?: number;
  /** Objects that are moved to another thread instead of copied. */
  readonly transfer?: readonly Transferable[];
}

interface Waiting {
  readonly weight: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * Function calls between two threads or processes: this side calls the functions of `Remote`, and answers calls with those
 * of `local`. Every call ends: with a result, with the other side's error (see `error-transfer.ts`), with a time-out, or with
 * the reason why the other side has ended.
 */
export class Channel<Remote extends Calls<Remote>> {
  readonly #port: MessagePort | Worker | ProcessPort;
  readonly #local: Record<string, (argument: never) => unknown>;
  readonly #maxWaiting: number;
  readonly #idlePort: MessagePort | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #waitingWeight = 0;
  #lastId = 0;
  #closed: Error | undefined;

  constructor({ port, local = {}, maxWaiting = MAX_WAITING, isUnrefIdle = false }: ChannelOptions) {
    this.#port = port;
    this.#local = local;
    this.#maxWaiting = maxWaiting;
    if ('onMessage' in port) {
      port.onMessage(this.#receive);
      return;
    }
    port.on('message', this.#receive);
    port.on('close', () => this.close(new OutageError('the other thread has ended')));
    if (!isUnrefIdle) return;
    this.#idlePort = port as MessagePort;
    this.#idlePort.unref();
  }

  /** Throws a `BusyError` if too many calls are pending. */
  call<Name extends keyof Remote & string>(
    name: Name,
    argument: Argument<Remote[Name]>,
    { timeoutMs, weight = 1, transfer }: CallOptions = {},
  ): Promise<Result<Remote[Name]>> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (this.#waitingWeight + weight > this.#maxWaiting) {
      return Promise.reject(new BusyError(`${name}: ${this.#waitingWeight} calls are waiting already`));
    }
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Result<Remote[Name]>>();
    const giveUp = () => this.#take(id)?.reject(new Error(`${name}: no answer within ${timeoutMs} ms`));
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
    this.#waiting.set(id, { weight, resolve: resolve as Waiting['resolve'], reject, timer });
    this.#waitingWeight += weight;
    this.#idlePort?.ref();
    try {
      this.#port.postMessage({ id, name, argument } satisfies CallMessage, transfer);
    } catch (error) {
      this.#take(id)?.reject(error as Error);
    }
    return promise;
  }

  /** Fails every pending and later call: the other side has ended. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(reason);
  }

  readonly #receive = (message: object): void => {
    if (!Array.isArray(message)) return void this.#answer(message as CallMessage);
    for (const answer of message as AnswerMessage) {
      const waiting = this.#take(answer.id);
      if ('error' in answer) waiting?.reject(received(answer.error));
      else waiting?.resolve(answer.result);
    }
  };

  async #answer({ id, name, argument }: CallMessage): Promise<void> {
    try {
      const result = await this.#local[name]!(argument as never);
      this.#port.postMessage([{ id, result }] satisfies AnswerMessage);
    } catch (error) {
      this.#port.postMessage([{ id, error: transferred(error) }] satisfies AnswerMessage);
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    this.#waitingWeight -= waiting.weight;
    clearTimeout(waiting.timer);
    if (this.#waiting.size === 0) this.#idlePort?.unref();
    return waiting;
  }
}

export interface GroupedCallsOptions {
  /** Maximum calls of one group; further calls wait for the next one. */
  readonly maxCalls: number;
  /** The one function that is called: answers each call of a group, given their arguments, in order. Must not throw. */
  readonly answer: (group: readonly unknown[]) => readonly CallOutcome[];
}

interface GroupedCall extends CallMessage {
  readonly port: MessagePort;
}

/**
 * The other side of many `Channel`s: answers the calls that wait in all ports as one group, synchronously.
 * Calls that arrive meanwhile wait in their ports for the next group.
 */
export class GroupedCalls {
  readonly #init: GroupedCallsOptions;
  readonly #ports = new Set<MessagePort>();

  constructor(init: GroupedCallsOptions) {
    this.#init = init;
  }

  connect(port: MessagePort): void {
    this.#ports.add(port);
    port.on('message', (call: CallMessage) => this.#answer(this.#gather([{ ...call, port }])));
    port.on('close', () => this.#ports.delete(port));
  }

  /** Answers all calls sent so far, then closes the ports. */
  close(): void {
    for (let group = this.#gather([]); group.length > 0; group = this.#gather([])) this.#answer(group);
    for (const port of this.#ports) port.close();
  }

  /** Takes calls from each port in turn, so that none waits for all calls of another. */
  #gather(group: GroupedCall[]): GroupedCall[] {
    for (let isFound = true; isFound && group.length < this.#init.maxCalls; ) {
      isFound = false;
      for (const port of this.#ports) {
        const received = receiveMessageOnPort(port) as { message: CallMessage } | undefined;
        if (received === undefined) continue;
        group.push({ ...received.message, port });
        isFound = true;
      }
    }
    return group;
  }

  #answer(group: readonly GroupedCall[]): void {
    const outcomes = this.#init.answer(group.map(({ argument }) => argument));
    const answers = new Map<MessagePort, AnswerMessage[number][]>();
    for (const [index, { id, port }] of group.entries()) {
      const answer = { id, ...outcomes[index]! };
      const others = answers.get(port);
      if (others === undefined) answers.set(port, [answer]);
      else others.push(answer);
    }
    for (const [port, answer] of answers) port.postMessage(answer satisfies AnswerMessage);
  }
}
