import { OperatorError } from '@larder/core/errors.ts';
import { readBytes, serveParent } from '../../src/threads/parent.ts';

/** Its behaviour at the start. */
export type Behaviour = 'ready' | 'refuse' | 'hang' | 'spin';

export interface ParentCalls {
  double(n: number): number;
}

/** A thread or process that follows orders. */
export interface ObedientCalls {
  pid(_: undefined): number;
  quadruple(n: number): Promise<number>;
  size(bytes: Uint8Array): number;
  /** Sums up this many bytes of the pipe. */
  sum(sizeBytes: number): Promise<number>;
  hang(_: undefined): Promise<void>;
  spin(_: undefined): void;
  exit(code: number): never;
  throwOutside(_: undefined): Promise<void>;
  stop(timeoutMs: number | undefined): Promise<void>;
}

serveParent<Behaviour, ParentCalls>(async (behaviour, parent) => {
  if (behaviour === 'refuse') throw new OperatorError('refused as ordered');
  if (behaviour === 'hang') await new Promise(() => {});
  if (behaviour === 'spin') for (;;);
  let isHanging = false;
  return {
    pid: () => process.pid,
    quadruple: async (n) => (await parent.call('double', n)) * 2,
    size: (bytes) => bytes.byteLength,
    sum: async (sizeBytes) => (await readBytes(sizeBytes)).reduce((sum, byte) => sum + byte, 0),
    hang() {
      isHanging = true;
      return new Promise(() => {});
    },
    spin() {
      for (;;);
    },
    exit: (code) => process.exit(code),
    throwOutside() {
      setImmediate(() => {
        throw new Error('thrown outside as ordered');
      });
      return new Promise(() => {});
    },
    async stop() {
      if (isHanging) await new Promise(() => {});
    },
  } satisfies ObedientCalls;
});
