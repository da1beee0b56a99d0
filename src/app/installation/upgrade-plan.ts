import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import type { Config } from '../../config/config.ts';
import { type FoundSchema, nextStep, STEPS, versionAfter } from '../../db/schema/steps.ts';
import { CATALOGUE_FORMAT_VERSION, isReadableCatalogue } from '../../foods/catalogue/format.ts';
import { readCatalogueInfo } from '../../foods/catalogue/load-catalogue.ts';
import { openCatalogueStore } from '../catalogue-store.ts';
import { databaseFile, openDisk } from '../data-folder.ts';

/** Upgrade steps that this program needs to use the data. */
export interface UpgradePlan {
  readonly database: {
    /** Absent for a new database, and for one of version 0.1.0. */
    readonly schemaVersion?: number;
    readonly is010?: true;
    readonly programVersion: number;
    /** Size of the file in bytes; absent in a cluster. */
    readonly bytes?: number;
  };
  readonly catalogue?: {
    readonly name: string;
    readonly formatVersion: number;
    readonly programVersion: number;
    readonly foods: number;
    /** Imports that cannot be compiled again, because their files are missing. */
    readonly lostImports: readonly string[];
  };
  /** Present in embedded mode if steps are needed: disk space that they may take, and free space. */
  readonly disk?: { readonly neededBytes: number; readonly freeBytes: number };
  /** Steps of the first start of this program, in order; empty if there are none. */
  readonly steps: readonly string[];
  readonly isBackupAdvised: boolean;
  /** Reason why this program cannot use the data. */
  readonly problem?: string;
}

/** Compares the data with this program; changes nothing. Throws an `OperatorError` if the data cannot be read. */
export async function planUpgrade(config: Config, tableSteps = STEPS): Promise<UpgradePlan> {
  const programVersion = versionAfter(tableSteps);
  const found = await findSchema(config);
  const catalogue = await findCatalogue(config);
  const changes = databaseSteps(found, programVersion);
  const steps = [...changes, ...catalogueSteps(catalogue)];
  const problem = problemOf(found, tableSteps);
  const database = { ...describeDatabase(config, found), programVersion };
  const disk = await diskFor(config, steps, database.bytes);
  return {
    database,
    ...(disk !== undefined && { disk }),
    ...(catalogue !== undefined && { catalogue }),
    steps: problem === undefined ? steps : [],
    isBackupAdvised: problem === undefined && changes.length > 0,
    ...(problem !== undefined && { problem }),
  };
}

/** A changed database, its write-ahead log and a catalogue that is compiled again are beside the ones of before for a time. */
async function diskFor(
  config: Config,
  steps: readonly string[],
  databaseBytes = 0,
): Promise<UpgradePlan['disk']> {
  if (config.mode === 'cluster' || steps.length === 0) return undefined;
  const store = openCatalogueStore(config);
  const name = await store.current();
  const catalogueBytes =
    name === undefined ? 0 : (statSync(store.pathOf(name), { throwIfNoEntry: false })?.size ?? 0);
  return { neededBytes: 2 * databaseBytes + catalogueBytes, freeBytes: await openDisk(config).freeBytes() };
}

async function findSchema(config: Config): Promise<FoundSchema> {
  if (config.mode === 'cluster') return (await import('../../db/postgres/migrate.ts')).readSchema(config);
  const file = databaseFile(config);
  if (!existsSync(file)) return {};
  const { readSchema } = await import('../../db/sqlite/migrate.ts');
  try {
    return readSchema(file);
  } catch (error) {
    throw new OperatorError(`Cannot read ${file}: ${(error as Error).message}.`, { cause: error });
  }
}

function describeDatabase(config: Config, { version, lastMigration }: FoundSchema) {
  const size =
    config.mode === 'embedded' ? statSync(databaseFile(config), { throwIfNoEntry: false })?.size : undefined;
  return {
    ...(version !== undefined && { schemaVersion: version }),
    ...(lastMigration !== undefined && { is010: true as const }),
    ...(size !== undefined && { bytes: size }),
  };
}

async function findCatalogue(config: Config): Promise<UpgradePlan['catalogue']> {
  const store = openCatalogueStore(config);
  const name = await store.current();
  if (name === undefined) return undefined;
  const { formatVersion, foods, segments } = await readCatalogueInfo(store.pathOf(name));
  const lostImports = segments
    .map((segment) => segment.name)
    .filter((segment) => !existsSync(join(config.dataDir, 'segments', segment)));
  return { name, formatVersion, programVersion: CATALOGUE_FORMAT_VERSION, foods, lostImports };
}

function problemOf(found: FoundSchema, steps: typeof STEPS): string | undefined {
  try {
    nextStep(found, 'sqlite', steps);
    return undefined;
  } catch (error) {
    return `The database cannot be used by this program. ${(error as Error).message}`;
  }
}

function databaseSteps({ version, lastMigration }: FoundSchema, programVersion: number): string[] {
  if (lastMigration !== undefined) {
    return [
      'Copy all rows of the database into new tables, which needs as much free disk as they take. Stop all nodes and workers first.',
    ];
  }
  if (version === undefined || version >= programVersion) return [];
  return [`Change the tables of the database from version ${version} to ${programVersion}.`];
}

function catalogueSteps(catalogue: UpgradePlan['catalogue']): string[] {
  if (catalogue === undefined || isReadableCatalogue(catalogue.formatVersion)) return [];
  const { formatVersion, programVersion, lostImports } = catalogue;
  const lost =
    lostImports.length === 0
      ? ''
      : ` Import again what is lost: ${lostImports.join(', ')} ${lostImports.length === 1 ? 'is' : 'are'} missing in segments/.`;
  return [
    `Compile the catalogue again, from format ${formatVersion} to ${programVersion}; with millions of foods this takes minutes.${lost}`,
  ];
}
