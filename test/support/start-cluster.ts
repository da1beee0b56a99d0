import type { TestProject } from 'vitest/node';
import { setup as bringServers } from './bring-servers.ts';
import { freePort } from './free-port.ts';
import { createMigratedDatabase } from './migrated-database.ts';
import { findPgbouncer, startPgbouncer } from './pgbouncer.ts';
import { findPostgres, startPostgres, stopPostgres } from './postgres-server.ts';
import { findRedis, killRedis, startRedis } from './redis-server.ts';
import { startSwift, whyNoSwift } from './swift.ts';

/** Servers shared by all tests of the project `cluster`; each server under test has its own part. */
export interface ClusterServers {
  /** The folder of PostgreSQL's socket. */
  readonly postgres: string;
  /** The folder of the socket of pgbouncer in front of it; undefined if it is not installed. */
  readonly pgbouncer: string | undefined;
  /** A database with all tables, used as a template. */
  readonly template: string;
  readonly redisPort: number;
  readonly s3Endpoint: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: ClusterServers | undefined;
  }
}

/** Databases of one Redis, one for each server under test. */
export const REDIS_DATABASES = 4_096;

/** Starts PostgreSQL, Redis and an S3 store once for the whole run, and prints which ones are not possible. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  bringServers();
  const missing = [
    ...(findPostgres() === undefined ? ['PostgreSQL is not installed'] : []),
    ...(findRedis() === undefined ? ['Redis is not installed'] : []),
    ...(whyNoSwift() === undefined ? [] : [whyNoSwift()]),
  ];
  if (missing.length > 0) {
    process.stderr.write(`The cluster is not tested here: ${missing.join(', ')}.\n`);
    project.provide('cluster', undefined);
    return undefined;
  }
  const postgres = startPostgres();
  const url = await createMigratedDatabase(postgres);
  const pgbouncer = findPgbouncer() === undefined ? undefined : await startPgbouncer(postgres);
  if (pgbouncer === undefined) {
    process.stderr.write('pgbouncer is not installed; what goes through a pooler is not tested here.\n');
  }
  const redisPort = await freePort();
  const redis = await startRedis(redisPort, ['--databases', String(REDIS_DATABASES)]);
  const swift = await startSwift();
  const template = new URL(url.replace('@/', '@localhost/')).pathname.slice(1);
  project.provide('cluster', {
    postgres,
    pgbouncer: pgbouncer?.folder,
    template,
    redisPort,
    s3Endpoint: swift.endpoint,
  });
  return async () => {
    await swift.close();
    await killRedis(redis);
    await pgbouncer?.close();
    stopPostgres(postgres);
  };
}
