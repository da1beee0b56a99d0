import pg from 'pg';

/** What the types of `pg` leave out. */
interface Session extends pg.Client {
  /** What the server, or the pooler in front of it, told to cancel by. */
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
 * Asks PostgreSQL on a connection of its own to cancel what this client waits for, as its protocol has it
 * (`CancelRequest`): a pooler hands that on to the server that the statement runs on, whichever that is. Nothing is
 * answered; the statement fails where it was heard. Given up after `timeoutMs`.
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
  // Whoever waits for the statement gives the connection up soon.
  wire.on('error', () => {});
  const timer = setTimeout(() => wire.stream.destroy(), timeoutMs).unref();
  wire.once('end', () => clearTimeout(timer));
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
  else wire.connect(port, host);
}
