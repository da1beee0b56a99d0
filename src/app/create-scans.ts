import { randomBytes } from 'node:crypto';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { ScanFeed } from '../scan/jobs/scan-feed.ts';
import { Scans } from '../scan/jobs/scans.ts';
import { UploadDetector } from '../scan/jobs/upload-detection.ts';
import type { Engine } from './backend.ts';
import { MEGABYTE, openDisk } from './data-folder.ts';
import { findScanPackages } from './installation/scan-packages.ts';

type ScanEngine = Pick<
  Engine,
  'scans' | 'objects' | 'scanSignals' | 'uploadEvents' | 'ticketSecret' | 'signedUrlAccess' | 'nowMs'
>;

/** During an outage of the object store, look-ups of images fail repeatedly; this limits their log lines. */
const FAILED_LOOKS_LOGGED_EVERY_MS = 10_000;

/** Creates the scans of one API thread and their feed. */
export function createScans(engine: ScanEngine, config: Config, log: Log) {
  const { scans: store, objects, scanSignals: signals, uploadEvents, ticketSecret, signedUrlAccess } = engine;
  const { imageMb, ...limits } = config.scanLimits;
  const uploadDetector = signedUrlAccess === undefined ? openUploadDetector(uploadEvents, log) : undefined;
  const scans = new Scans({
    store,
    objects,
    signals,
    uploadEvents,
    uploadDetector,
    ticketSecret,
    limits: { ...limits, imageBytes: imageMb * MEGABYTE },
    disk: signedUrlAccess && openDisk(config),
    unavailable: reasonAgainstScans(config),
    nowMs: engine.nowMs,
    randomBytes,
  });
  const scanFeed = new ScanFeed({
    store,
    signals,
    lookFor: (scan) => void uploadDetector?.lookFor(scan),
    onError: (err) => log.error({ err }, 'watched scans could not be read'),
  });
  return { scans, scanFeed };
}

/** Without own workers, other processes analyse the images, and their recognizers are unknown here. */
function reasonAgainstScans(config: Config): string | undefined {
  const packages = findScanPackages(config);
  if (config.scanWorkers === 0 || packages.canOpenPhotos) return undefined;
  return 'Photos cannot be scanned: this service is installed without the packages for that. Its operator finds in the log which ones.';
}

function openUploadDetector(uploadEvents: Engine['uploadEvents'], log: Log): UploadDetector {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return new UploadDetector({
    look: (scan) => uploadEvents.look(scan),
    onFailure: (err) => {
      if (Date.now() - loggedAtMs < FAILED_LOOKS_LOGGED_EVERY_MS) return;
      loggedAtMs = Date.now();
      log.error({ err }, 'uploads could not be looked up');
    },
    nowMs: Date.now,
  });
}
