import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { DatabaseListener } from '../../src/db/postgres/database-listener.ts';
import { createDatabase } from '../support/postgres-server.ts';

const servers = inject('cluster');

describe.skipIf(servers === undefined)('a listener', () => {
  let client: pg.Client;
  let listener: DatabaseListener;
  let events: EventEmitter;
  beforeEach(async () => {
    const url = await createDatabase(servers!.postgres);
    client = new pg.Client(url);
    await client.connect();
    events = new EventEmitter();
    listener = new DatabaseListener({
      url,
      channels: { a: (payload) => events.emit('a', payload), b: (payload) => events.emit('b', payload) },
      onListening: () => events.emit('listening'),
      onCut: (cause) => events.emit('cut', cause.message),
    });
  });
  afterEach(async () => {
    await listener.close();
    await client.end();
  });

  /** It may be interrupted, and listen again, before it is used. */
  async function listen(): Promise<void> {
    const listening = once(events, 'listening');
    await listener.open();
    await listening;
  }

  test('gets the notifications of each of its channels', async () => {
    await listen();
    const heard = Promise.all([once(events, 'a'), once(events, 'b')]);
    await client.query("notify other, '0'; notify a, '1'; notify b, '2'");
    expect(await heard).toEqual([['1'], ['2']]);
  });

  test('listens again after a broken connection and reports it', async () => {
    await listen();
    const [cut, listening] = [once(events, 'cut'), once(events, 'listening')];
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'larder-listener'",
    );
    await cut;
    await listening;
    const heard = once(events, 'a');
    await client.query("notify a, '3'");
    expect(await heard).toEqual(['3']);
  });

  test('can be closed while its server does not respond', async () => {
    await listen();
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'larder-listener'",
    );
    process.kill(rows[0]!.pid, 'SIGSTOP');
    await listener.close();
    process.kill(rows[0]!.pid, 'SIGCONT');
  });

  test('waits for a database that is unavailable at the start', async () => {
    const absent = new DatabaseListener({
      url: 'postgres://nobody@127.0.0.1:1/nothing',
      channels: {},
      onListening: () => events.emit('listening'),
      onCut: (cause) => events.emit('cut', cause.message),
    });
    const cut = once(events, 'cut');
    await absent.open();
    expect(await cut).toEqual([expect.stringContaining('ECONNREFUSED')]);
    await absent.close();
  });
});
