import { counter, gauge, type MetricValues } from './metric-values.ts';

/** Metrics of one API thread's requests to a database that nodes share. */
export function databaseMetrics({ pools, clock }: DatabaseLoad): MetricValues {
  const sum = (of: (pool: PoolLoad) => number) => pools.reduce((total, pool) => total + of(pool), 0);
  return [
    gauge('larder_database_connections', 'Connections to PostgreSQL that API threads have open.', [
      { labels: { state: 'busy' }, value: sum((pool) => pool.busyConnections) },
      { labels: { state: 'idle' }, value: sum((pool) => pool.idleConnections) },
    ]),
    gauge(
      'larder_database_queries_waiting',
      'Queries of API threads that wait for a connection to PostgreSQL.',
      sum((pool) => pool.waitingQueries),
    ),
    counter(
      'larder_database_queries_refused_total',
      'Queries of API threads for which no connection to PostgreSQL came free in time.',
      sum((pool) => pool.refusedQueries),
    ),
    gauge(
      'larder_database_clock_ahead_seconds',
      "How far this machine's clock is ahead of the database's, where the two are apart; else 0.",
      clock.aheadMs / 1_000,
      'average',
    ),
  ];
}

/** Load that one thread causes on a database shared with other nodes. */
export interface DatabaseLoad {
  readonly pools: readonly PoolLoad[];
  /** Milliseconds by which this machine's clock is ahead of the database's, if they differ; else 0. */
  readonly clock: { readonly aheadMs: number };
}

interface PoolLoad {
  /** Connections in use. */
  readonly busyConnections: number;
  /** Idle connections. */
  readonly idleConnections: number;
  /** Queries that wait for a connection. */
  readonly waitingQueries: number;
  /** Number of queries that got no connection in time. */
  readonly refusedQueries: number;
}
