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
import { readTlsFiles } from '../installation/tls-files.ts';
import { followCertificate } from './followed-certificate.ts';
import { createLogger, lastWarnings, standardOutput } from './logger.ts';
import type { MainCalls, ThreadCalls, ThreadStart } from './protocol.ts';

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
      catalogue.current = Catalogue.open(image);
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
