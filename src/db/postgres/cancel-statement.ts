import pg from 'pg';

/** Fields that the types of `pg` lack. */
interface Session extends pg.Client {
  /** The cancellation key of this session, sent by the server or its pooler. */
  readonly processID: number;
  readonly secretKey: number;
  readonly sslNegotiation: string;
}
interface Wire extends pg.Connection {
  connect(portOrSocket: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/**
 * Asks PostgreSQL to cancel the statement that this client waits for, with a `CancelRequest` on a separate
 * connection. A pooler forwards it to the server that runs the statement. There is no answer: if the request
 * was received, the statement fails. Gives up after `timeoutMs`.
 */
export function cancelStatement(client: pg.Client, timeoutMs: number): void {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as Session;
  const options = { ssl, sslNegotiation } as pg.ClientConfig;
  const wire = new pg.Connection(options) as Wire;
  const cancel = () => wire.cancel(processID, secretKey);
  wire.once('connect', () => {
    if (!ssl) cancel();
    else if (sslNegotiation !== 'direct') wire.requestSsl();
  });
  wire.once('sslconnect', cancel);
  // An error needs no handling: the caller abandons the connection of the statement soon.
  wire.on('error', () => {});
  const timer = setTimeout(() => wire.stream.destroy(), timeoutMs).unref();
  wire.once('end', () => clearTimeout(timer));
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
  else wire.connect(port, host);
}
