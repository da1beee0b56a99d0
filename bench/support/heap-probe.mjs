// Loaded by each thread of a measured service: writes to its own file how much of its heap a full garbage
// collection left in use. Between collections most of the heap is garbage.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { threadId } from 'node:worker_threads';

const file = join(process.env.HEAP_PROBE_DIR, `${process.pid}-${threadId}`);
const tell = () => writeFileSync(file, String(getHeapStatistics().used_heap_size));
new PerformanceObserver((list) => {
  const isFull = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  if (list.getEntries().some(isFull)) tell();
}).observe({ entryTypes: ['gc'] });
process.on('exit', () => rmSync(file, { force: true }));
tell();
