import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { ScanStreams } from '../http/scan-streams.ts';
import { ScanFeed } from '../scan/scan-feed.ts';
import { Scans } from '../scan/scans.ts';
import { StreamTickets } from '../scan/stream-tickets.ts';
import type { Engine } from './engine.ts';

type ScanEngine = Pick<
  Engine,
  'scans' | 'objects' | 'scanSignals' | 'arrivals' | 'ticketSecret' | 'objectGate'
>;

/** The scans of one API thread, and whoever follows them there. */
export function createScans(engine: ScanEngine, log: Pick<Logger, 'warn' | 'error'>) {
  const { scans: store, objects, scanSignals: signals, arrivals, ticketSecret, objectGate } = engine;
  const scans = new Scans({
    store,
    objects,
    signals,
    arrivals,
    tickets: new StreamTickets({ secret: ticketSecret }),
    hearsOfUploads: objectGate !== undefined,
    nowMs: Date.now,
    randomBytes,
  });
  const feed = new ScanFeed({
    store,
    signals,
    lookFor: (id) => scans.lookFor(id),
    onError: (err) => log.error({ err }, 'scans that are followed could not be read'),
  });
  const scanStreams = new ScanStreams({ feed, log });
  return {
    scans,
    scanStreams,
    closeStreams() {
      scanStreams.close();
      feed.close();
    },
  };
}
