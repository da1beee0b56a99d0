// Loaded by each thread of a service that is measured: tells how much of its heap is in use, in a file of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { threadId } from 'node:worker_threads';

const EVERY_MS = 1_000;
const file = join(process.env.HEAP_PROBE_DIR, String(threadId));
setInterval(() => writeFileSync(file, String(getHeapStatistics().used_heap_size)), EVERY_MS).unref();
