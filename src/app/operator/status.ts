import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperatorStatus } from '../../api/operator/status.ts';
import type { Config } from '../../config/config.ts';
import { DAMAGE_ADVICE } from '../../db/damage-flag.ts';
import type { ReadinessPorts } from '../../http/service/health.ts';
import type { ScanOverview } from '../../scan/jobs/scan-overview.ts';
import { databaseFile, MEGABYTE, openDisk } from '../data-folder.ts';
import { readBuild } from '../installation/build.ts';

/** Data that only the main thread has: it collects it from all threads. */
export type ServiceFacts = Pick<OperatorStatus, 'refused' | 'warnings' | 'backups'>;

export interface OperatorStatusPorts extends ReadinessPorts {
  readonly serviceFacts: () => Promise<ServiceFacts>;
}

/** Describes this process, its parts and its data folder. */
export async function readOperatorStatus(
  config: Config,
  scans: ScanOverview,
  ports: OperatorStatusPorts,
): Promise<OperatorStatus> {
  const [facts, health, storage] = await Promise.all([
    ports.serviceFacts(),
    readHealth(ports),
    readStorage(config, scans),
  ]);
  return {
    ...readBuild(),
    mode: config.mode,
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    threads: config.apiThreads,
    memoryBytes: process.memoryUsage.rss(),
    health: facts.backups === undefined ? health : [...health, healthOfBackups(facts.backups)],
    storage,
    quotas: [
      { name: 'keys', limit: config.keysPerTenant },
      { name: 'customFoods', limit: config.customFoods.foods },
      { name: 'images', limit: config.scanLimits.images },
      { name: 'imageBytes', limit: config.scanLimits.imageMb * MEGABYTE },
      { name: 'webhooks', limit: config.webhooks.perTenant },
    ],
    ...facts,
  };
}

type PartHealth = OperatorStatus['health'][number];

async function readHealth({
  status,
  isDatabaseReachable,
  isDatabaseDamaged,
  disk,
  missingScanPackages: missing,
  sharedLimits,
}: OperatorStatusPorts): Promise<PartHealth[]> {
  const { catalogue, catalogueProblem, following } = status();
  const problem = following?.problem ?? catalogueProblem;
  const [isReachable, hasRoom] = await Promise.all([
    isDatabaseReachable(),
    disk.hasRoom().catch(() => false),
  ]);
  return [
    isDatabaseDamaged?.() === true
      ? part('database', false, `The database is damaged. ${DAMAGE_ADVICE}`)
      : part('database', isReachable, 'The database does not answer: only search and barcodes work.'),
    part('catalogue', catalogue !== undefined && problem === undefined, problem ?? 'No catalogue is loaded.'),
    part('disk', hasRoom, 'The disk is almost full: photos and imports are refused. Make room on it.'),
    part('scans', missing.length === 0, `Scans lack ${missing.join(', ')}; \`npm ci\` installs them.`),
    ...(sharedLimits === undefined
      ? []
      : [
          part(
            'counters',
            sharedLimits.countedBy === 'cluster',
            'Redis does not answer: each node counts requests for itself.',
          ),
        ]),
  ];
}

const HOUR_MS = 60 * 60_000;

/** Backups are late when two are missing. */
function healthOfBackups({ newest, everyHours, problem }: NonNullable<ServiceFacts['backups']>): PartHealth {
  const ageMs = newest === undefined ? 0 : Date.now() - Date.parse(newest.createdAt);
  const isLate = ageMs > 2 * everyHours * HOUR_MS;
  return part(
    'backups',
    problem === undefined && !isLate,
    problem ?? 'The newest backup is too old; see the log.',
  );
}

function part(name: PartHealth['part'], ok: boolean, message: string): PartHealth {
  return { part: name, ok, ...(!ok && { message }) };
}

async function readStorage(config: Config, scans: ScanOverview): Promise<OperatorStatus['storage']> {
  const { dataDir, mode } = config;
  const disk = openDisk(config);
  const sizes = ['catalogues', 'segments', 'published'].map((name) => folderBytes(join(dataDir, name)));
  const catalogueBytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  const freeBytes = await disk.freeBytes().catch(() => undefined);
  return {
    catalogueBytes,
    reserveBytes: disk.reserveBytes,
    ...(freeBytes !== undefined && { freeBytes }),
    ...(mode === 'embedded' && {
      dataBytes: await filesBytes([databaseFile(config), `${databaseFile(config)}-wal`]),
      imageBytes: await scans.storedImageBytes().catch(() => undefined),
    }),
  };
}

/** Total size of the files directly in it; a folder of catalogues has some dozens. */
async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return filesBytes(names.map((name) => join(folder, name)));
}

/** Files that were removed meanwhile count as empty. */
async function filesBytes(files: readonly string[]): Promise<number> {
  const sizes = files.map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
