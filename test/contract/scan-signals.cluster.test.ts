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
import { hasPostgres, openPatientPool, openPostgresUrl } from '../support/postgres.ts';
import { scanSignalsContract, until } from './scan-signals.ts';

const ONE: ScanSignal = { kind: 'changed', id: 'one' as ScanId };
const TWO: ScanSignal = { kind: 'changed', id: 'two' as ScanId };

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
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

  it('a node with a closed listener receives only its own signals', async () => {
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

  it('a signal rejected by the database is reported and still reaches its own node', async () => {
    const node = await openNode(await openPostgresUrl());
    const heard = until(node.signals, ONE);
    await node.pool.end();
    node.signals.announce(ONE);
    await heard;
    await node.failed;
    await node.close();
  });
});

/**
 * A node of a cluster with signals only: its threads, its connections, and the signals that it receives from
 * others.
 */
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
