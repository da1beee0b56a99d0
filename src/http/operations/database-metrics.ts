import { Counter, Gauge, type Registry } from 'prom-client';

/** What one API thread asks of a database that it shares with other nodes. */
export function addDatabaseMetrics(register: Registry, { pools, replica, clock }: DatabaseLoad): void {
  const sum = (of: (pool: PoolLoad) => number) => pools.reduce((total, pool) => total + of(pool), 0);
  const registers = [register];
  const connections: Gauge<'state'> = new Gauge({
    name: 'larder_database_connections',
    help: 'Connections to PostgreSQL that API threads have open.',
    labelNames: ['state'],
    registers,
    collect: () => {
      connections.set(
        { state: 'busy' },
        sum((pool) => pool.busyConnections),
      );
      connections.set(
        { state: 'idle' },
        sum((pool) => pool.idleConnections),
      );
    },
  });
  const waiting: Gauge = new Gauge({
    name: 'larder_database_queries_waiting',
    help: 'Queries of API threads that wait for a connection to PostgreSQL.',
    registers,
    collect: () => waiting.set(sum((pool) => pool.waitingQueries)),
  });
  const refused: Counter = new Counter({
    name: 'larder_database_queries_refused_total',
    help: 'Queries of API threads for which no connection to PostgreSQL came free in time.',
    registers,
    collect: () => {
      refused.reset();
      refused.inc(sum((pool) => pool.refusedQueries));
    },
  });
  const ahead: Gauge = new Gauge({
    name: 'larder_database_clock_ahead_seconds',
    help: "How far this machine's clock is ahead of the database's, where the two are apart; else 0.",
    registers,
    aggregator: 'average',
    collect: () => ahead.set(clock.aheadMs / 1_000),
  });
  const replicaAway: Gauge = new Gauge({
    name: 'larder_database_replica_away',
    help: '1 while the replica is away or behind and the primary answers its reads, else 0.',
    registers,
    aggregator: 'max',
    collect: () => replicaAway.set(replica?.isAway === true ? 1 : 0),
  });
  const reads: Counter<'answered_by'> = new Counter({
    name: 'larder_database_replica_reads_total',
    help: 'Reads that a replica may answer.',
    labelNames: ['answered_by'],
    registers,
    collect: () => {
      reads.reset();
      reads.inc({ answered_by: 'replica' }, replica?.answeredByReplica ?? 0);
      reads.inc({ answered_by: 'primary' }, replica?.answeredByPrimary ?? 0);
    },
  });
}

/** How much one thread asks of a database that it shares with other nodes. */
export interface DatabaseLoad {
  readonly pools: readonly PoolLoad[];
  /** Where there is a replica. */
  readonly replica?: ReplicaLoad | undefined;
  /** How far this machine's clock is ahead of the database's, where the two are apart; else 0. */
  readonly clock: { readonly aheadMs: number };
}

interface PoolLoad {
  /** Connections in use at the moment. */
  readonly busyConnections: number;
  /** Open connections that nobody uses at the moment. */
  readonly idleConnections: number;
  /** Queries that wait for a connection. */
  readonly waitingQueries: number;
  /** Queries so far that got no connection in time. */
  readonly refusedQueries: number;
}

export interface ReplicaLoad {
  /** Whether any thread of the process asks the primary instead. */
  readonly isAway: boolean;
  /** Reads so far that the replica answered. */
  readonly answeredByReplica: number;
  /** Reads so far that the primary answered instead. */
  readonly answeredByPrimary: number;
}
