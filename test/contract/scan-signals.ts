import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScanId } from '../../src/scan/scan-job.ts';
import type { ScanSignal, ScanSignals } from '../../src/scan/signals/scan-signals.ts';

export interface SignalsUnderTest {
  readonly signals: ScanSignals;
  /** Signals of another thread, process or node. */
  readonly other: ScanSignals;
  /** Signals of another installation, which receives none of these. */
  readonly stranger: ScanSignals;
  close(): Promise<void>;
}

const QUEUED: ScanSignal = { kind: 'queued' };
const changed = (id: string): ScanSignal => ({ kind: 'changed', id: id as ScanId });

/** Contract of scan signals. A signal may arrive twice, so the tests do not count. */
export function scanSignalsContract(name: string, open: () => Promise<SignalsUnderTest>): void {
  describe(`signals about scans over ${name}`, () => {
    let tested: SignalsUnderTest;
    beforeEach(async () => {
      tested = await open();
    });
    afterEach(() => tested.close());

    it('reach listeners of the same instance before the call returns', () => {
      const heard: ScanSignal[] = [];
      tested.signals.listen((signal) => heard.push(signal));
      tested.signals.announce(changed('one'));
      tested.signals.announce(QUEUED);
      expect(heard).toEqual([changed('one'), QUEUED]);
    });

    it('reach listeners of other instances in both directions and in order', async () => {
      const { signals, other } = tested;
      const heard = [until(other, changed('one')), until(other, changed('one')), until(other, QUEUED)];
      signals.announce(changed('one'));
      signals.announce(QUEUED);
      await Promise.all(heard);
      const back = until(signals, changed('two'));
      other.announce(changed('two'));
      await back;
    });

    it('do not reach a listener that stopped, but all others', async () => {
      const { signals, other } = tested;
      const heard: ScanSignal[] = [];
      const stops = [signals, other].map((one) => one.listen((signal) => heard.push(signal)));
      for (const stop of stops) stop();
      const last = until(other, changed('one'));
      signals.announce(changed('one'));
      await last;
      expect(heard).toEqual([]);
    });

    it('do not leave their installation', async () => {
      const { signals, other, stranger } = tested;
      const heard: ScanSignal[] = [];
      stranger.listen((signal) => heard.push(signal));
      const last = until(other, changed('one'));
      signals.announce(changed('one'));
      await last;
      const own = until(stranger, changed('own'));
      stranger.announce(changed('own'));
      await own;
      expect(heard).toEqual([changed('own')]);
    });
  });
}

/** Resolves when exactly this signal is received. */
export function until(signals: ScanSignals, wanted: ScanSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = signals.listen((signal) => {
      if (JSON.stringify(signal) !== JSON.stringify(wanted)) return;
      stop();
      resolve();
    });
  });
}
