import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ScanId } from '../../src/scan/scan-job.ts';
import type { ScanSignal } from '../../src/scan/signals/scan-signals.ts';
import { ThreadScanSignals } from '../../src/scan/signals/thread-scan-signals.ts';
import { scanSignalsContract, until } from './scan-signals.ts';

const ONE: ScanSignal = { kind: 'changed', id: 'one' as ScanId };

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

it('a closed channel delivers no signals, even to its own listeners', async () => {
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
