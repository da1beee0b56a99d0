import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openCatalogueStore } from '../../src/app/catalogue-store.ts';
import { createKeyIssuer, openKeyStore } from '../../src/app/keys.ts';
import { openDatabase } from '../../src/app/open-backend.ts';
import { readConfig } from '../../src/config/config.ts';
import { addFoods } from '../../src/foods/import/complete-foods.ts';
import { COLA, SPREAD } from '../../test/support/foods.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');
const NO_LIMIT = 1_000_000;

export interface DiaryService {
  readonly pid: number;
  readonly url: string;
  /** Header lines of a caller with all scopes. */
  readonly headers: string;
  stop(): Promise<void>;
}

/** A service in a separate process, over a temporary data folder. */
export async function startDiaryService(threads: number): Promise<DiaryService> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-bench-diary-'));
  const env = {
    LARDER_DATA_DIR: folder,
    LARDER_PORT: '0',
    LARDER_THREADS: String(threads),
    LARDER_LOG_LEVEL: 'warn',
    LARDER_WEBHOOK_NETWORKS: '127.0.0.0/8',
  };
  const config = readConfig(env);
  const database = await openDatabase(config);
  const { text: key } = await createKeyIssuer(openKeyStore(database)).create({
    tenant: 'bench',
    scopes: ['diary:read', 'diary:write', 'webhooks'],
    limits: { diaryRead: NO_LIMIT, diaryWrite: NO_LIMIT, other: NO_LIMIT },
  });
  await database.close();
  const catalogueStore = openCatalogueStore(config);
  await addFoods({
    catalogueStore,
    origin: 'off',
    sources: ['bench'],
    foods: [SPREAD, COLA],
    known: [],
    nowMs: Date.now,
  });

  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await listeningAddress(child);
  return {
    pid: child.pid!,
    url,
    headers: `authorization: Bearer ${key}\r\n`,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Processor time that the threads of a process have used, to the nanosecond; from Linux's /proc. */
export function cpuSeconds(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const ns = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return ns.reduce((sum, each) => sum + each, 0) / 1e9;
}

function listeningAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const url = /listens on (http\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}
