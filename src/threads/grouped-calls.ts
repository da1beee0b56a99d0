import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { AnswerMessage, CallMessage, CallOutcome } from './channel.ts';

export interface GroupedCallsInit {
  /** Of one group; further calls wait for the next one. */
  readonly maxCalls: number;
  /** The one function that is called: answers each call of a group, given their arguments, in order. Must not throw. */
  readonly answer: (group: readonly unknown[]) => readonly CallOutcome[];
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
