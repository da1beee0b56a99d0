import { pbkdf2Sync } from 'node:crypto';
import type { AnalysisCalls, GroundCalls } from '../../src/app/processes/analysis-main.ts';
import { ANALYSIS_VERSION } from '../../src/scan/analysis/analysis.ts';
import type { Proposal } from '../../src/scan/recognizer.ts';
import { readBytes, serveParent } from '../../src/threads/parent.ts';

/** An analysis process whose behaviour depends on the image. Each one reports its process id. */
const { pid } = process;
serveParent<unknown, GroundCalls>(async (_, parent) => ({
  async analyse({
    sizeBytes,
  }: Parameters<AnalysisCalls['analyse']>[0]): ReturnType<AnalysisCalls['analyse']> {
    const order = Buffer.from(await readBytes(sizeBytes)).toString();
    if (order === 'exit') process.exit(3);
    if (order === 'throw') throw new Error('thrown as ordered');
    if (order === 'throw outside') {
      setImmediate(() => {
        throw new Error('thrown outside as ordered');
      });
      await new Promise(() => {});
    }
    if (order === 'spin') for (;;);
    // Native code that cannot be interrupted and takes centuries.
    if (order === 'stay in native code') pbkdf2Sync('', '', 2 ** 31 - 1, 2 ** 30, 'sha512');
    if (order === 'fill the memory') for (const filled: Buffer[] = []; ; ) filled.push(Buffer.alloc(1e7, 1));
    if (order === 'fill the heap')
      for (const filled: number[][] = []; ; ) filled.push(new Array(1e5).fill(1.5));
    const { items } = order.startsWith('name ') ? await parent.call('ground', [named(order)]) : { items: [] };
    return {
      analysis: {
        version: ANALYSIS_VERSION,
        timings: { decodeMs: pid, groundMs: 0, totalMs: 0 },
        recognizers: [],
        items,
      },
      failure: { code: 'no_food_detected', message: order, retryable: false },
    };
  },
}));

function named(order: string): Proposal {
  return { kind: 'named', name: order.slice('name '.length), confidence: 1 };
}
