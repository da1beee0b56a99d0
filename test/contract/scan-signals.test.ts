import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DatabaseListener } from '../../src/db/postgres/database-listener.ts';
import type { ScanId } from '../../src/scan/scan-job.ts';
import {
  NotifyingScanSignals,
  parseScanSignal,
  SCANS_CHANNEL,
} from '../../src/scan/signals/notifying-scan-signals.ts';
import type { ScanSignal } from '../../src/scan/signals/scan-signals.ts';
import { ThreadScanSignals } from '../../src/scan/signals/thread-scan-signals.ts';
import { openPatientPool, openPostgresUrl, postgresPrograms } from '../support/postgres.ts';
import { scanSignalsContract, until } from './scan-signals.ts';

const ONE: ScanSignal = { kind: 'changed', id: 'one' as ScanId };
const TWO: ScanSignal = { kind: 'changed', id: 'two' as ScanId };

scanSignalsContract('the channels of a process', async () => {
  const [name, another] = [randomUUID(), randomUUID()];
  const opened = [name, name, another].map((each) => ThreadScanSignals.open({ name: each }));
  const [signals, other, stranger] = opened;
  return {
    signals: signals!,
    other: other!,
    stranger: stranger!,
    close: async () => {
      for (const each of opened) each.close();
    },
  };
});

it('the channel of a process is silent once it is closed, for its own listeners too', async () => {
  const name = randomUUID();
  const [closed, sender, witness] = [1, 2, 3].map(() => ThreadScanSignals.open({ name }));
  const heard: ScanSignal[] = [];
  closed!.listen((signal) => heard.push(signal));
  closed!.close();
  const last = until(witness!, ONE);
  sender!.announce(ONE);
  await last;
  expect(heard).toEqual([]);
  sender!.close();
  witness!.close();
});

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  scanSignalsContract('the notifications of PostgreSQL', async () => {
    const [url, elsewhere] = [await openPostgresUrl(), await openPostgresUrl()];
    const nodes = [await openNode(url), await openNode(url), await openNode(elsewhere)];
    const [one, other, stranger] = nodes;
    return {
      signals: one!.signals,
      other: other!.signals,
      stranger: stranger!.signals,
      close: async () => {
        await Promise.all(nodes.map((node) => node.close()));
      },
    };
  });

  it('a node hears nothing more of others once its listener is closed, but still tells itself', async () => {
    const url = await openPostgresUrl();
    const [deaf, sender, witness] = [await openNode(url), await openNode(url), await openNode(url)];
    const heard: ScanSignal[] = [];
    deaf.signals.listen((signal) => heard.push(signal));
    await deaf.listener.close();
    const last = until(witness.signals, ONE);
    sender.signals.announce(ONE);
    await last;
    deaf.signals.announce(TWO);
    expect(heard).toEqual([TWO]);
    await Promise.all([deaf, sender, witness].map((node) => node.close()));
  });

  it('a signal that the database does not take is told of, and reaches the own node all the same', async () => {
    const node = await openNode(await openPostgresUrl());
    const heard = until(node.signals, ONE);
    await node.pool.end();
    node.signals.announce(ONE);
    await heard;
    await node.failed;
    await node.close();
  });
});

/** A node of a cluster, as far as signals go: its threads, its connections, and what it hears from the others. */
async function openNode(url: string) {
  const threads = ThreadScanSignals.open({ name: randomUUID() });
  const pool = openPatientPool(url);
  const failed = Promise.withResolvers<unknown>();
  const signals = new NotifyingScanSignals({
    notify: (channel, payload) => pool.notify(channel, payload),
    node: threads,
    onError: failed.resolve,
  });
  const listening = Promise.withResolvers<void>();
  const listener = new DatabaseListener({
    url,
    channels: { [SCANS_CHANNEL]: (payload) => threads.announce(parseScanSignal(payload)) },
    onListening: listening.resolve,
    onCut: () => {},
  });
  await listener.open();
  await listening.promise;
  return {
    signals,
    listener,
    pool,
    failed: failed.promise,
    async close() {
      await listener.close();
      if (!pool.isEnded) await pool.end();
      threads.close();
    },
  };
}
