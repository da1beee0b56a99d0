import { once } from 'node:events';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Scene } from '../../attack.ts';
import { issueKey } from '../../attacker/household.ts';
import { inParallel } from '../../attacker/in-parallel.ts';

/** Together more than a connection takes that nobody reads: the kernel keeps up to 10 MB of loopback. */
const BATCHES = 100;
const BATCH_ENTRIES = 100;
/** Four bytes each. */
const NOTE = '🥚'.repeat(500);
const MAX_HELD = 20;
/** docs/console.md: one copy for each thread of the service. */
const MAX_COPIES_OF_THREAD = 1;
/** docs/console.md: a reader who takes nothing for 30 s loses it; then another one is made. */
const FREE_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 250;

/** Downloads of the database that nobody reads, while an honest operator wants one. */
export const unreadBackups: Attack = {
  name: 'backups nobody reads',
  async run(scene) {
    const { client, url, mode, pid, endsAtMs } = scene;
    await fillDiary(scene);
    const { key } = await issueKey(scene, ['operator']);
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await client.send('/v1/operator/status', { headers });
    const maxCopies = JSON.parse(body).threads * MAX_COPIES_OF_THREAD;
    const held: Socket[] = [];
    let [asked, most] = [0, 0];
    while (held.length < MAX_HELD && performance.now() < endsAtMs) {
      const socket = client.connect();
      asked++;
      socket.write(
        `GET /v1/operator/backup HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      );
      const [head] = await once(socket, 'data');
      socket.pause();
      const status = Number(head.toString('latin1', 9, 12));
      client.count(status);
      if (status === 200) held.push(socket);
      else {
        socket.destroy();
        await pause(ASK_EVERY_MS);
      }
      most = Math.max(most, copiesOf(pid));
    }
    const breaches = most > maxCopies ? [`${most} copies of the database on the disk at one time`] : [];
    if (mode === 'embedded' && !(await isBackedUp(url, key)))
      breaches.push(`nobody else gets a backup within ${FREE_WITHIN_MS / 1_000} s`);
    for (const socket of held) socket.destroy();
    return { sent: `${asked} downloads that are not read, ${most} copies at one time`, breaches };
  },
};

async function fillDiary({ client, key, endsAtMs }: Scene): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  await inParallel({ count: BATCHES, width: 4, endsAtMs: endsAtMs - 6_000 }, async (at) => {
    const date = new Date(Date.UTC(2031, 0, 1 + at)).toISOString().slice(0, 'YYYY-MM-DD'.length);
    const meal = { date, mealType: 'lunch', foodName: 'x', calories: 1, note: NOTE };
    const body = JSON.stringify(Array(BATCH_ENTRIES).fill(meal));
    await client.send('/v1/users/hoarder/diary/batch', { method: 'POST', headers, body });
  });
}

/** Open files of the service that are backups; their names are removed, their bytes are not. */
function copiesOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const files = readdirSync(folder).map((name) => `${folder}/${name}`);
  return files.filter((file) => isBackup(file)).length;
}

function isBackup(file: string): boolean {
  try {
    return /backup-[\w-]+\.db/.test(readlinkSync(file)) && statSync(file).size > 0;
  } catch {
    return false;
  }
}

/** Whether somebody who reads gets a whole backup. */
async function isBackedUp(url: string, key: string): Promise<boolean> {
  const until = performance.now() + FREE_WITHIN_MS;
  while (performance.now() < until) {
    const answer = await fetch(`${url}/v1/operator/backup`, { headers: { authorization: `Bearer ${key}` } });
    const bytes = (await answer.bytes()).length;
    if (answer.status === 200) return bytes === Number(answer.headers.get('content-length'));
    await pause(ASK_EVERY_MS);
  }
  return false;
}
