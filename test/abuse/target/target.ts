import type { ChildProcess } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { USER_SCOPES } from '../../../src/access/api-key.ts';
import { LIMITED_OPERATIONS, MAX_OWN_LIMIT } from '../../../src/limits/operations.ts';
import { clusterSettings } from '../../support/cluster-settings.ts';
import { freePort } from '../../support/free-port.ts';
import { runLarder } from '../../support/run-larder.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { Setup } from '../attack.ts';
import { CleanUp } from './clean-up.ts';
import { RESERVE_MB, smallDisk } from './small-disk.ts';
import { steppedClock } from './stepped-clock.ts';

/** Whoever is called nobody. */
const NOBODY = 65_534;
/** Same value as in the image and the systemd unit. */
const NATIVE_MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
/** Default of operators; other tests wait longer. */
const REDIS_TIMEOUT_MS = '200';

/** The service under attack, started as an operator would. */
export class Target implements AsyncDisposable {
  readonly service: ServiceProcess;
  readonly settings: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly clockFile: string;
  readonly keys: Readonly<Record<'victim' | 'attacker', string>>;
  readonly #opened: AsyncDisposableStack;

  static async open(setup: Setup): Promise<Target> {
    await using opened = new AsyncDisposableStack();
    const cleanUp = opened.use(new CleanUp());
    const folder = opened.use(tempFolder());
    cleanUp.add(`rm -rf '${folder.path}'`);
    const dataDir = join(folder.path, 'data');
    const clockFile = join(folder.path, 'clock');
    if (setup === 'small disk') {
      cleanUp.add(`umount -l '${dataDir}'`);
      opened.use(smallDisk(dataDir));
    }
    const cluster = await clusterSettings();
    const settings = {
      ...cluster,
      ...(cluster['LARDER_REDIS_URL'] !== undefined && { LARDER_REDIS_TIMEOUT_MS: REDIS_TIMEOUT_MS }),
      ...(setup === 'openid' && (await openIdSettings())),
      ...(setup === 'small disk' && { LARDER_DISK_RESERVE_MB: String(RESERVE_MB) }),
      LARDER_DATA_DIR: dataDir,
    };
    if (setup === 'unprivileged') chownSync(folder.path, NOBODY, NOBODY);
    const service = opened.use(
      await startServiceProcess(
        { ...NATIVE_MEMORY, ...settings, ...(setup === 'stepped clock' && steppedClock(clockFile)) },
        setup === 'unprivileged' ? asNobody : undefined,
        false,
        // Its first line: it may be long until it listens.
        once((_, { pid }) => cleanUp.endProcess(pid!)),
      ),
    );
    const keys = {
      victim: await createKey(settings, 'victim'),
      attacker: await createKey(settings, 'attacker'),
    };
    return new Target({ service, settings, dataDir, clockFile, keys, opened: opened.move() });
  }

  private constructor(
    parts: Pick<Target, 'service' | 'settings' | 'dataDir' | 'clockFile' | 'keys'> & {
      opened: AsyncDisposableStack;
    },
  ) {
    this.service = parts.service;
    this.settings = parts.settings;
    this.dataDir = parts.dataDir;
    this.clockFile = parts.clockFile;
    this.keys = parts.keys;
    this.#opened = parts.opened;
  }

  get pid(): number {
    return this.service.child.pid!;
  }

  get hasEnded(): boolean {
    const { exitCode, signalCode } = this.service.child;
    return exitCode !== null || signalCode !== null;
  }

  /** Lines that the service has logged since `from`. */
  logFrom(from: number): readonly string[] {
    return this.service.out.slice(from);
  }

  /** A service that hangs is not asked to end. */
  async [Symbol.asyncDispose](): Promise<void> {
    const killer = setTimeout(() => this.service.child.kill('SIGKILL'), 20_000);
    await this.#opened.disposeAsync();
    clearTimeout(killer);
  }
}

/** A provider that the attacker plays. */
async function openIdSettings(): Promise<Readonly<Record<string, string>>> {
  return {
    LARDER_PUBLIC_URL: 'http://larder.test',
    LARDER_OPENID_ISSUER: `http://127.0.0.1:${await freePort()}`,
    LARDER_OPENID_CLIENT_ID: 'larder',
    LARDER_OPENID_CLIENT_SECRET: 'a secret of the client, long enough',
  };
}

function once(tell: (message: string, child: ChildProcess) => void): typeof tell {
  let isTold = false;
  return (message, child) => {
    if (!isTold) tell(message, child);
    isTold = true;
  };
}

function asNobody(program: string) {
  const words = [
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    process.execPath,
    program,
    'serve',
  ];
  return ['setpriv', words] as const;
}

/** Creates a key with limits above the load of all attacks, so that rate limits are not what protects others. */
async function createKey(settings: Readonly<Record<string, string>>, tenant: string): Promise<string> {
  const limits = LIMITED_OPERATIONS.map((operation) => `${operation}=${MAX_OWN_LIMIT}`).join();
  const scopes = [...USER_SCOPES, 'admin', 'webhooks'].join();
  const words = ['--tenant', tenant, '--new-tenant', '--scopes', scopes, '--limits', limits, '--json'];
  return JSON.parse(await runLarder(settings, 'key', 'create', ...words)).key;
}
