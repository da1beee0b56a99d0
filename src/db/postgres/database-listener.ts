import pg from 'pg';
import { isPooled } from './database-connection.ts';
import { forceClose } from './database-pool.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Interval of attempts to reconnect. */
const RETRY_MS = 500;
/** Interval of probes of a silent connection. */
const PROBE_MS = 5_000;
/** A probe that is not answered within this time ends the connection. */
const PROBE_TIMEOUT_MS = 2_000;

/** The `application_name` in `pg_stat_activity`. */
const LISTENER_NAME = 'larder-listener';

export interface DatabaseListenerPorts {
  readonly url: string;
  /** Listeners by channel name; each is called with the payload of every notification. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>;
  /** Called whenever listening begins, also after each interruption: notifications in between were lost. */
  readonly onListening: () => void;
  /** Called once for each interruption, and if a pooler makes listening impossible. */
  readonly onCut: (cause: Error) => void;
}

/**
 * A connection to PostgreSQL that only listens (LISTEN/NOTIFY) and reconnects after an interruption.
 * Notifications are hints: they are lost during an interruption, so listeners poll as well. Behind a pooler
 * no notifications arrive, because the session serves other clients.
 */
export class DatabaseListener {
  readonly #ports: DatabaseListenerPorts;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isCut = false;
  #isClosed = false;

  constructor(ports: DatabaseListenerPorts) {
    this.#ports = ports;
  }

  /** Resolves when it listens, or the database was found to be unavailable; attempts continue until `close`. */
  async open(): Promise<void> {
    const { url, channels, onListening } = this.#ports;
    const client = new pg.Client({
      connectionString: url,
      application_name: LISTENER_NAME,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      keepAlive: true,
    });
    this.#client = client;
    client.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''));
    client.on('error', (error) => this.#cut(client, error));
    client.on('end', () => this.#cut(client, new Error('PostgreSQL closed the connection')));
    try {
      await client.connect();
      forceClose(client);
      if (await isPooled(client)) return this.#giveUp(client);
      for (const channel of Object.keys(channels))
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      this.#cut(client, error as Error);
      return;
    }
    if (this.#client !== client) return;
    this.#isCut = false;
    this.#probeLater(client);
    onListening();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #probeLater(client: pg.Client): void {
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => this.#client === client && this.#probeLater(client),
        (error: Error) => this.#cut(client, error),
      );
    }, PROBE_MS).unref();
  }

  /** Stops permanently: the next connection would reach the same pooler. */
  #giveUp(client: pg.Client): void {
    this.#client = undefined;
    client.end().catch(() => {});
    this.#ports.onCut(new Error('its address leads to a pooler, not to PostgreSQL itself'));
  }

  #cut(client: pg.Client, cause: Error): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    // Not awaited, since it may hang.
    client.end().catch(() => {});
    if (!this.#isCut) this.#ports.onCut(cause);
    this.#isCut = true;
    this.#timer = setTimeout(() => this.open(), RETRY_MS).unref();
  }
}

/** The NOTIFY channel that carries the tenant of each write to a custom food. */
export const CUSTOM_FOODS_CHANNEL = 'larder_live_foods';
