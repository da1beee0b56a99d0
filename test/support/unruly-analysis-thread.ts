import { parentPort } from 'node:worker_threads';
import { Channel } from '../../src/channel.ts';
import { ANALYSIS_VERSION } from '../../src/scan/analysis.ts';
import type { AnalysisCalls, FoodCalls } from '../../src/worker/protocol.ts';

/** An analysis thread that does what its image says. Each has a number of its own, to tell it by. */
const thread = Math.random();
const calls: AnalysisCalls = {
  ready: () => {},
  async analyse({ bytes }) {
    const order = Buffer.from(bytes).toString();
    if (order === 'exit') process.exit(3);
    if (order === 'throw') throw new Error('thrown as ordered');
    if (order === 'throw outside') {
      setImmediate(() => {
        throw new Error('thrown outside as ordered');
      });
      await new Promise(() => {});
    }
    if (order === 'spin') for (;;);
    if (order === 'fill the heap')
      for (const filled: number[][] = []; ; ) filled.push(new Array(1e5).fill(1.5));
    const foods = order.startsWith('search ') ? await channel.call('search', searched(order), WITHIN) : [];
    return {
      analysis: {
        version: ANALYSIS_VERSION,
        timings: { decodeMs: thread, groundMs: foods.length, totalMs: 0 },
        recognizers: [],
        items: [],
      },
      failure: { code: 'no_food_detected', message: order, retryable: false },
    };
  },
};
const channel = new Channel<FoodCalls>({ port: parentPort!, local: calls });
const WITHIN = { timeoutMs: 10_000 };

function searched(order: string) {
  return { text: order.slice('search '.length), limit: 5 };
}
