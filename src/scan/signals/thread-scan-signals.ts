import { BroadcastChannel } from 'node:worker_threads';
import type { ScanSignal, ScanSignals } from './scan-signals.ts';

/** Signals between all threads of this process that use the same name. */
export class ThreadScanSignals implements ScanSignals {
  readonly #channel: BroadcastChannel;
  readonly #listeners = new Set<(signal: ScanSignal) => void>();

  private constructor(channel: BroadcastChannel) {
    this.#channel = channel;
  }

  static open({ name }: { name: string }): ThreadScanSignals {
    const channel = new BroadcastChannel(`larder scans of ${name}`);
    channel.unref();
    const signals = new ThreadScanSignals(channel);
    channel.onmessage = (event) => signals.#tell((event as unknown as { readonly data: ScanSignal }).data);
    return signals;
  }

  announce(signal: ScanSignal): void {
    // The channel delivers to other threads only, so listeners of this one are called directly.
    this.#channel.postMessage(signal);
    this.#tell(signal);
  }

  listen(listener: (signal: ScanSignal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#channel.close();
    this.#listeners.clear();
  }

  #tell(signal: ScanSignal): void {
    for (const listener of this.#listeners) listener(signal);
  }
}
