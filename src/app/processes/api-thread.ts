import type { Log } from '../../base/log.ts';
import { RepeatedTask } from '../../base/repeated-task.ts';
import type { Config } from '../../config/config.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { ALL_OPERATIONS } from '../../http/all-operations.ts';
import { closeGracefully, listen } from '../../http/server/connection/listening.ts';
import { toEndpoints } from '../../http/server/endpoint.ts';
import { createServer, renewTls } from '../../http/server/server.ts';
import type { ServiceStatus } from '../../http/service/health.ts';
import { ThreadMetrics } from '../../http/service/thread-metrics.ts';
import { IdleMemory } from '../../threads/idle-memory.ts';
import { serveParent } from '../../threads/parent.ts';
import { openApi } from '../api.ts';
import { catalogueFile } from '../catalogue-store.ts';
import { certificateEndsAtMs, readTlsFiles, type TlsFiles } from '../installation/tls-files.ts';
import { createLogger, lastWarnings, standardOutput } from './logger.ts';
import type { MainCalls, ThreadCalls, ThreadStart } from './protocol.ts';

const LOOK_EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
/** Time before the end of a certificate at which a warning is logged. */
const WARNED_BEFORE_MS = 14 * DAY_MS;

interface FollowedCertificateOptions {
  readonly config: Config;
  /** The files that the server began with. */
  readonly files: TlsFiles;
  /** Makes the server use these files. */
  readonly renew: (files: TlsFiles) => void;
  /** Whether this thread logs the end of the certificate: one of all threads does. */
  readonly isTeller: boolean;
  readonly log: Log;
}

/** Has a server use the files of its certificate as they are now, so that a renewal needs no restart. */
function followCertificate(options: FollowedCertificateOptions): RepeatedTask {
  const { config, renew, isTeller, log } = options;
  let { files } = options;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const look = async () => {
    if (isTeller && Date.now() - toldAtMs >= DAY_MS) {
      toldAtMs = Date.now();
      warnOfEnd(config, log);
    }
    const now = readTlsFiles(config)!;
    if (now.cert.equals(files.cert) && now.key.equals(files.key)) return;
    renew(now);
    files = now;
    const endsAt = toIso(certificateEndsAtMs(config));
    if (isTeller) log.info({ endsAt }, 'the new certificate is used for new connections');
  };
  const task = new RepeatedTask(look, {
    everyMs: LOOK_EVERY_MS,
    onError(err, failures) {
      // Files that are being replaced do not fit each other for a moment.
      if (isTeller && failures === 2)
        log.warn({ err }, 'the new certificate cannot be used; connections use the one before');
    },
  });
  task.start();
  if (isTeller) void task.runNow();
  return task;
}

function warnOfEnd(config: Config, log: Log): void {
  const endsAtMs = certificateEndsAtMs(config);
  if (endsAtMs === undefined || endsAtMs - Date.now() > WARNED_BEFORE_MS) return;
  const text =
    endsAtMs <= Date.now()
      ? 'the certificate of LARDER_TLS_CERT has expired, and browsers refuse it'
      : 'the certificate of LARDER_TLS_CERT expires soon';
  log.warn(
    { endsAt: toIso(endsAtMs) },
    `${text}; put a new one with its key into the same files, which are read within ten seconds`,
  );
}

function toIso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** Time limit for the main thread to collect the metrics of all threads. */
const COLLECT_TIMEOUT_MS = 5_000;

/**
 * The program of an API thread: an HTTP server on the port that all API threads share, with the one catalogue
 * in their shared memory.
 */
serveParent<ThreadStart, MainCalls>(async (start, parent) => {
  const { index, config, logFormat, memory, workPort } = start;
  const log = createLogger({
    level: config.logLevel,
    destination: standardOutput(logFormat),
    thread: index,
  });
  const catalogue: { current: Catalogue | undefined } = { current: undefined };
  let status: ServiceStatus = { phase: 'starting' };
  const service = { isStopping: false };
  const api = await openApi({
    config,
    thread: index,
    memory,
    port: workPort,
    catalogue,
    log,
  });
  const { databaseLoad, ports } = api;
  const { sharedLimits, isDatabaseReachable } = ports;
  const idleMemory = new IdleMemory();
  const metrics = new ThreadMetrics({
    thread: index,
    sharedLimits,
    isDatabaseReachable,
    databaseLoad,
    activity: idleMemory,
  });
  const tls = readTlsFiles(config);
  const server = createServer({
    ...api.guard,
    endpoints: toEndpoints(ALL_OPERATIONS, {
      ...ports,
      status: () => status,
      collectMetrics: () => parent.call('collectMetrics', undefined, { timeoutMs: COLLECT_TIMEOUT_MS }),
      ...api.operatorPorts({
        status: () => status,
        serviceFacts: () => parent.call('serviceFacts', undefined, { timeoutMs: COLLECT_TIMEOUT_MS }),
      }),
    }),
    publicUrl: config.publicUrl,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    hstsSeconds: config.hstsSeconds,
    nowMs: Date.now,
    observer: metrics,
    log,
    service,
    tls,
  });
  const certificate =
    tls &&
    followCertificate({
      config,
      files: tls,
      renew: (files) => renewTls(server, files),
      isTeller: index === 0,
      log,
    });
  return {
    listen: (port) => listen(server, { host: config.host, port, reusePort: true }),
    useCatalogue: (image) => {
      const before = catalogue.current;
      catalogue.current = Catalogue.open(image, (name) => catalogueFile(config, name));
      void before?.close();
    },
    setStatus: (now) => {
      status = now;
      idleMemory.worked();
    },
    metrics: () => metrics.values(),
    warnings: () => lastWarnings.all(),
    async stop(timeoutMs) {
      status = { ...status, phase: 'stopping' };
      service.isStopping = true;
      await certificate?.stop();
      api.closeStreams();
      await closeGracefully(server, timeoutMs);
      metrics.close();
      await api.close();
    },
  } satisfies ThreadCalls;
});
