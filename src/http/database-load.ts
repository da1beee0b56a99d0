/** How much one thread asks of a database that it shares with other nodes. */
export interface DatabaseLoad {
  /** Connections that are used at the moment, */
  readonly busyConnections: number;
  /** and those that wait to be. */
  readonly idleConnections: number;
  /** Queries that wait for a connection. */
  readonly waitingQueries: number;
  /** Queries so far for which there was no connection in time. */
  readonly refusedQueries: number;
}
