/** How much one thread asks of a database that it shares with other nodes. */
export interface DatabaseLoad {
  readonly pools: readonly PoolLoad[];
  /** Where there is a replica. */
  readonly replica?: ReplicaLoad | undefined;
  /** How far this machine's clock is ahead of the database's, where the two are apart; else 0. */
  readonly clock: { readonly aheadMs: number };
}

export interface PoolLoad {
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
