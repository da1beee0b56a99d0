import type { Log } from '../../base/log.ts';
import { RepeatedTask } from '../../base/repeated-task.ts';
import type { Config } from '../../config/config.ts';
import { certificateEndsAtMs, readTlsFiles, type TlsFiles } from '../installation/tls-files.ts';

const LOOK_EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
/** How long before its end a certificate is warned of. */
const WARNED_BEFORE_MS = 14 * DAY_MS;

interface FollowedCertificateOptions {
  readonly config: Config;
  /** What the server began with. */
  readonly files: TlsFiles;
  /** Has the server use the files. */
  readonly renew: (files: TlsFiles) => void;
  /** Whether this thread tells of the end of the certificate. */
  readonly isTeller: boolean;
  readonly log: Log;
}

/** Has a server use the files of its certificate as they are now, so that a renewal needs no restart. */
export function followCertificate(options: FollowedCertificateOptions): RepeatedTask {
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
