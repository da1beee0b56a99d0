/**
 * Measures for how long one hostile request blocks a thread.
 *
 *     npm run bench -- bodies [--rounds 3] [--only TEXT]
 *
 * A service with one API thread gets one request of each kind, while another client repeatedly requests a day
 * of the diary: the longest wait of that client shows how long the thread was blocked. Then the request is
 * sent alone, to measure the processor time of all threads, which is reliable on a busy machine, too.
 * Goal: no request blocks a thread for more than 30 ms per MiB.
 */
import { connect } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuSeconds, startDiaryService } from './support/diary-service.ts';
import { hostileRequests } from './support/hostile-requests.ts';
import { RawConnection } from './support/raw-http.ts';

const DAY = '/v1/users/somebody/diary?date=2026-01-31';
const WARM_UP_MS = 1_500;
/** Time for which the other client continues after the response. */
const SETTLE_MS = 50;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
});
const service = await startDiaryService(1);
const { port } = new URL(service.url);
console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}`);
console.log(`load average before: ${loadavg()[0]!.toFixed(1)}; medians of ${values.rounds} rounds\n`);
console.log(`${''.padEnd(44)}      blocked  of processor    bytes   status`);
const idleMs = await longestWait(() => sleep(WARM_UP_MS));
console.log(`${'nothing, for comparison'.padEnd(44)} ${inMs(idleMs)}`);
for (const { what, bytes } of hostileRequests(service.headers)) {
  if (!what.includes(values.only)) continue;
  const waitsMs: number[] = [];
  const costsMs: number[] = [];
  let status = '';
  for (let round = 0; round < Number(values.rounds); round++) {
    waitsMs.push(
      await longestWait(async () => {
        status = await send(bytes);
        await sleep(SETTLE_MS);
      }),
    );
    const before = cpuSeconds(service.pid);
    await send(bytes);
    await sleep(SETTLE_MS);
    costsMs.push((cpuSeconds(service.pid) - before) * 1000);
  }
  const size = `${(bytes.length / 1000).toFixed(0)} kB`.padStart(8);
  console.log(`${what.padEnd(44)} ${inMs(median(waitsMs))} ${inMs(median(costsMs))} ${size}   ${status}`);
}
await service.stop();

/** The longest response time of the other client during `work`. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  const connection = await RawConnection.open(service.url);
  let isOver = false;
  const worked = work().finally(() => {
    isOver = true;
  });
  let longestMs = 0;
  while (!isOver) {
    const askedAt = performance.now();
    await connection.send('GET', DAY, service.headers);
    longestMs = Math.max(longestMs, performance.now() - askedAt);
  }
  await worked;
  connection.close();
  return longestMs;
}

/** The status of the response to these bytes. */
async function send(bytes: Buffer): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  // A server that has responded need not read the rest of the body.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  return /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'cut off';
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1]!;
}

function inMs(time: number): string {
  return `${time.toFixed(1).padStart(9)} ms`;
}
