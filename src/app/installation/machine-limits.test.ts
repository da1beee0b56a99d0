import { expect, test } from 'vitest';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import { checkMachine, type MachineLimits } from './machine-limits.ts';

const MIB = 2 ** 20;
const usual: MachineLimits = { openFiles: 1_048_576, memoryBytes: 8 * 1024 * MIB, freeDiskBytes: 1e9 };
const config = { apiThreads: 2, scanWorkers: 1, dataDir: '/data', mode: 'embedded' } as const;

function check(limits: Partial<MachineLimits>, changes: object = {}) {
  const log = new MemoryLog('warn');
  checkMachine({ ...config, ...changes }, { ...usual, ...limits }, log.logger);
  return log.messages('warn');
}

test('a machine with enough of everything, or one that does not say, is not warned of', () => {
  expect(check({})).toEqual([]);
  expect(check({ openFiles: undefined, memoryBytes: undefined })).toEqual([]);
});

test('too few open files end the start, for as many threads as there are; few are warned of', () => {
  expect(() => check({ openFiles: 64 })).toThrow(
    /^64 open files are allowed, too few for LARDER_THREADS=2\. Raise the limit \(`ulimit -n 1024`.*LimitNOFILE/,
  );
  expect(check({ openFiles: 64 }, { apiThreads: 1 })).toEqual([
    expect.stringContaining('few clients can connect; raise it'),
  ]);
});

test('a full disk ends the start of a service that has its database there', () => {
  expect(() => check({ freeDiskBytes: 0 })).toThrow(
    'The disk of /data is full: 0 bytes free. Free some space, then start again.',
  );
  expect(check({ freeDiskBytes: 0 }, { mode: 'cluster' })).toEqual([]);
});

test('little memory is warned of, by what runs in it', () => {
  const [said] = check({ memoryBytes: 256 * MIB });
  expect(said).toContain('analyses of photos may be killed. Allow more, or set LARDER_SCAN_WORKERS=0');
  expect(check({ memoryBytes: 256 * MIB }, { scanWorkers: 0 })).toEqual([]);
  expect(check({ memoryBytes: 200 * MIB }, { scanWorkers: 0 })).toHaveLength(1);
});
