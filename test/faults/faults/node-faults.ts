import { setTimeout } from 'node:timers/promises';
import { CLAIM_MS } from '../../../src/idempotency/idempotent-requests.ts';
import { WITH_A_FROZEN_NODE, WITHOUT_A_NODE } from './allowances.ts';
import type { Fault } from './fault.ts';

/** Twice as long as a claim is valid. */
const FROZEN_MS = 2 * CLAIM_MS;

/** A node dies suddenly; the others continue, and it is restarted as by a supervisor. */
export const killNode: Fault = {
  name: 'a node is killed',
  async run({ lab, history, random }) {
    const victim = random.below(lab.nodes.length);
    const startMs = history.nowMs();
    await lab.kill(lab.nodes[victim]!);
    history.note({ kind: 'fault', name: this.name, startMs, endMs: history.nowMs(), allows: WITHOUT_A_NODE });
    await lab.startNode(victim);
  },
};

/** All nodes but one, simultaneously. */
export const killTwoNodes: Fault = {
  name: 'two nodes of three are killed',
  async run({ lab, history, random }) {
    const survivor = random.below(lab.nodes.length);
    const victims = lab.nodes.flatMap((_, at) => (at === survivor ? [] : [at]));
    const startMs = history.nowMs();
    await Promise.all(victims.map((at) => lab.kill(lab.nodes[at]!)));
    history.note({ kind: 'fault', name: this.name, startMs, endMs: history.nowMs(), allows: WITHOUT_A_NODE });
    await Promise.all(victims.map((at) => lab.startNode(at)));
  },
};

/**
 * A node freezes for longer than its claims on requests are valid, like a machine that swaps or is moved. Others
 * execute its repeated requests. Then it continues.
 */
export const freezeNode: Fault = {
  name: 'a node is frozen past its claims',
  async run({ lab, history, random }) {
    const { child } = lab.nodes[random.below(lab.nodes.length)]!;
    const startMs = history.nowMs();
    child.kill('SIGSTOP');
    await setTimeout(FROZEN_MS);
    child.kill('SIGCONT');
    history.note({
      kind: 'fault',
      name: this.name,
      startMs,
      endMs: history.nowMs(),
      allows: WITH_A_FROZEN_NODE,
    });
  },
};
