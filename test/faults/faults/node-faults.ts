import { WITHOUT_A_NODE } from './allowances.ts';
import type { Fault } from './fault.ts';

/** A node dies without a word; the others go on, and it is started again as a supervisor does. */
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

/** All but one at once. */
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
