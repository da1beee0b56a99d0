import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureCatalogue, openCatalogueStore } from '../../src/app/catalogue-store.ts';
import { createKeyIssuer, openKeyStore } from '../../src/app/keys.ts';
import { openDatabase } from '../../src/app/open-backend.ts';
import { readConfig } from '../../src/config/config.ts';
import { addFoods } from '../../src/foods/import/complete-foods.ts';
import { SPREAD } from '../../test/support/foods.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');
const NO_LIMIT = 1_000_000;

export interface ScanLine {
  readonly msg: string;
  readonly outcome?: string;
  readonly ms?: number;
  readonly scan?: string;
  readonly url?: string;
}

/** A data folder with the starter foods, one product and a key, for several services in sequence. */
export async function openScanFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), 'larder-bench-scan-'));
  const config = readConfig({ LARDER_DATA_DIR: dataDir });
  const database = await openDatabase(config);
  const { text: key } = await createKeyIssuer(openKeyStore(database)).create({
    tenant: 'bench',
    scopes: ['foods:read', 'scan'],
    limits: { search: NO_LIMIT, scanCreate: NO_LIMIT, scanPoll: NO_LIMIT, stream: NO_LIMIT },
  });
  await database.close();
  await ensureCatalogue(config);
  const catalogueStore = openCatalogueStore(config);
  await addFoods({ catalogueStore, origin: 'off', sources: ['bench'], foods: [SPREAD], nowMs: Date.now });
  return {
    key,
    start: (settings: Readonly<Record<string, string>>, onLine: (line: ScanLine) => void = () => {}) =>
      startService({ LARDER_DATA_DIR: dataDir, ...settings }, onLine),
    [Symbol.dispose]: () => rmSync(dataDir, { recursive: true }),
  };
}

async function startService(settings: Readonly<Record<string, string>>, onLine: (line: ScanLine) => void) {
  const env = {
    LARDER_PORT: '0',
    LARDER_THREADS: '2',
    LARDER_UNFINISHED_SCANS_PER_TENANT: '1000000',
    ...settings,
  };
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line: ScanLine = JSON.parse(text);
      if (line.msg === 'listening') resolve(line.url!);
      onLine(line);
    });
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
