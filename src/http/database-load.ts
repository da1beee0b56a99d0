/** How much one thread asks of a database that it shares with other nodes. */
export interface DatabaseLoad {
  readonly pool: PoolLoad;
  /** Where there is a replica. */
  readonly replica?: ReplicaLoad | undefined;
  /** How far this machine's clock is ahead of the database's, where the two are apart; else 0. */
  readonly clock: { readonly aheadMs: number };
}

interface PoolLoad {
  /** Connections that are used at the moment, */
  readonly busyConnections: number;
  /** and those that wait to be. */
  readonly idleConnections: number;
  /** Queries that wait for a connection. */
  readonly waitingQueries: number;
  /** Queries so far for which there was no connection in time. */
  readonly refusedQueries: number;
}

export interface ReplicaLoad {
  /** Whether any thread of the process asks the primary in its place. */
  readonly isAway: boolean;
  /** Reads so far that it answered, */
  readonly answeredByReplica: number;
  /** and those that the primary answered in its place. */
  readonly answeredByPrimary: number;
}
