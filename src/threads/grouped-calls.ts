import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { AnswerMessage, CallMessage, CallOutcome } from './channel.ts';

export interface GroupedCall {
  readonly name: string;
  readonly argument: unknown;
}

export interface GroupedCallsInit {
  /** Of one group; further calls wait for the next one. */
  readonly maxCalls: number;
  /** Answers each call of a group, in order. Must not throw. */
  readonly answer: (calls: readonly GroupedCall[]) => readonly CallOutcome[];
}

interface Waiting extends CallMessage {
  readonly port: MessagePort;
}

/**
 * The other side of many `Channel`s: answers the calls that wait in all ports as one group, synchronously. Calls that come
 * meanwhile wait in their ports for the next group.
 */
export class GroupedCalls {
  readonly #init: GroupedCallsInit;
  readonly #ports = new Set<MessagePort>();

  constructor(init: GroupedCallsInit) {
    this.#init = init;
  }

  connect(port: MessagePort): void {
    this.#ports.add(port);
    port.on('message', (call: CallMessage) => this.#answer(this.#gather([{ ...call, port }])));
    port.on('close', () => this.#ports.delete(port));
  }

  /** Answers everything that was sent so far, then closes the ports. */
  close(): void {
    for (let group = this.#gather([]); group.length > 0; group = this.#gather([])) this.#answer(group);
    for (const port of this.#ports) port.close();
  }

  /** Takes calls from each port in turn, so that none has to wait for all calls of another. */
  #gather(group: Waiting[]): Waiting[] {
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

  #answer(group: readonly Waiting[]): void {
    const outcomes = this.#init.answer(group);
    const answers = new Map<MessagePort, AnswerMessage[number][]>();
    group.forEach(({ id, port }, index) => {
      const outcome = outcomes[index]!;
      const answer = 'error' in outcome ? { id, error: outcome.error } : { id, result: outcome.result };
      const others = answers.get(port);
      if (others === undefined) answers.set(port, [answer]);
      else others.push(answer);
    });
    for (const [port, answer] of answers) port.postMessage(answer satisfies AnswerMessage);
  }
}
