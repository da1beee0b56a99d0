import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { z } from 'zod';
import { Larder } from '#larder-client';
import packageJson from '../../package.json' with { type: 'json' };
import { openCatalogueStore } from '../app/catalogue-store.ts';
import { isDataFolder, openDisk } from '../app/data-folder.ts';
import { counted } from '../base/texts.ts';
import type { Config } from '../config/config.ts';
import { readCatalogueInfo } from '../foods/catalogue/load-catalogue.ts';
import { frontPageSchema } from '../http/service/front-page.ts';
import { readinessSchema } from '../http/service/health.ts';
import { size, toLines } from './terminal/format.ts';
import { type ServiceAccess, serviceAccess, unreachable } from './terminal/service-access.ts';
import { printResult, type Terminal } from './terminal/terminal.ts';

/** Maximum kinds of refused requests that are shown. */
const MAX_REFUSALS = 5;

/** The metrics of a service that `larder status` shows. */
export interface ServiceFigures {
  readonly scanQueue: { readonly waiting: number; readonly running: number };
  /** Kinds of the latest rejected requests, newest first. */
  readonly refusals: readonly RefusedKind[];
  /** Requests of web pages whose origin is not allowed. */
  readonly refusedOrigins: number;
}

export interface RefusedKind {
  readonly method: string;
  readonly route: string;
  readonly code: string;
  readonly count: number;
  readonly lastAt: string;
}

/** Reads metrics in the Prometheus text format; undefined for any other text. */
function readServiceFigures(text: string): ServiceFigures | undefined {
  const jobs = samplesOf(text, 'larder_scan_queue_jobs');
  const [waiting, running] = ['waiting', 'running'].map(
    (state) => jobs.find(({ labels }) => labels['state'] === state)?.value,
  );
  if (waiting === undefined || running === undefined) return undefined;
  const counts = new Map(
    samplesOf(text, 'larder_http_refusals_total').map(({ labels, value }) => [kindOf(labels), value]),
  );
  const refusals = samplesOf(text, 'larder_http_last_refusal_timestamp_seconds')
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MAX_REFUSALS)
    .map(({ labels, value }) => ({
      method: labels['method'] ?? '',
      route: labels['route'] ?? '',
      code: labels['code'] ?? '',
      count: counts.get(kindOf(labels)) ?? 1,
      lastAt: new Date(value * 1000).toISOString(),
    }));
  const [refusedOrigins] = samplesOf(text, 'larder_http_refused_origins_total');
  return { scanQueue: { waiting, running }, refusals, refusedOrigins: refusedOrigins?.value ?? 0 };
}

type Labels = Readonly<Record<string, string | undefined>>;

function kindOf({ method, route, code }: Labels): string {
  return `${method} ${route} ${code}`;
}

function samplesOf(text: string, name: string): { labels: Labels; value: number }[] {
  return Array.from(
    text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm')),
    ([, labels, value]) => ({
      labels: Object.fromEntries(
        Array.from((labels ?? '').matchAll(/(\w+)="([^"]*)"/g), ([, label, content]) => [label, content]),
      ),
      value: Number(value),
    }),
  );
}

const TIMEOUT_MS = 10_000;

interface Options {
  readonly url?: string;
  readonly key?: string;
  readonly json?: true;
}

/** The output of `--json`. Unknown fields are absent. */
interface Status extends Partial<ServiceFigures> {
  readonly address: string;
  readonly state: 'ready' | 'not ready' | 'unreachable';
  /** Version of the service. */
  readonly version?: string | undefined;
  readonly mode?: Config['mode'];
  readonly dataDir?: string;
  /** Whether the data folder has data of Larder; in a cluster it may be empty. */
  readonly hasData?: boolean;
  readonly catalogue?:
    | { readonly name: string; readonly foods: number; readonly createdAt?: string }
    | undefined;
  readonly database?: 'reachable' | 'unreachable' | undefined;
  readonly disk?: { readonly freeBytes: number; readonly reserveBytes: number };
  /** npm packages that scans need and that are not installed. */
  readonly missingScanPackages?: readonly string[] | undefined;
  /** One sentence for each problem. */
  readonly problems: readonly string[];
}

/** `larder status`: describes a service here or elsewhere, and its health. */
export function statusCommand(terminal: Terminal): Command {
  return new Command('status')
    .description(
      'Show the service and its state: address, version, catalogue, readiness, disk and queue of scans.',
    )
    .option('--url <address>', 'address of the service; default: from the settings here')
    .option(
      '--key <key>',
      'API key with the scope metrics, to show the queue and refused requests; default: LARDER_KEY, or without --url the first key of the data folder',
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Exit codes: 0 the service is ready and has no problem, 1 otherwise.

Examples:
  larder status
  larder status --url https://food.example.org --json`,
    )
    .action((options: Options) => tellStatus(terminal, options));
}

async function tellStatus(terminal: Terminal, options: Options): Promise<void> {
  const access = await serviceAccess(terminal, options);
  const asked = await askService(access);
  const local = access.isOwn ? await lookHere(access.config, asked.catalogue?.name) : undefined;
  const status: Status = { ...asked, ...local, catalogue: local?.catalogue ?? asked.catalogue };
  printResult(terminal, options.json, status, statusText(status));
  if (status.problems.length > 0) throw new OperatorError(status.problems.join(' '));
}

/** Requests the service's own description. */
async function askService(access: ServiceAccess): Promise<Status> {
  const address = access.url;
  try {
    const front = await ask(access, '/');
    const { success, data } = frontPageSchema.safeParse(parseJson(front.text));
    if (!success) {
      const problems = [`${address} answers, but is not a service of Larder (status ${front.status}).`];
      return { address, state: 'not ready', problems };
    }
    const { version } = data;
    const answer = await ask(access, '/readyz');
    const ready = readinessSchema.safeParse(parseJson(answer.text));
    if (!ready.success) {
      const problems = [messageOf(answer.text) ?? `/readyz answers with status ${answer.status}.`];
      return { address, state: 'not ready', version, problems };
    }
    const { catalogue, database, missingScanPackages } = ready.data;
    const { figures, problem } = await askForFigures(access);
    const problems = [...problemsOf(ready.data), ...(problem === undefined ? [] : [problem])];
    const { name, foods } = catalogue;
    return {
      address,
      state: 'ready',
      version,
      catalogue: { name, foods },
      database,
      missingScanPackages,
      ...figures,
      problems,
    };
  } catch (error) {
    return {
      address,
      state: 'unreachable',
      problems: [unreachable(address, access.urlSource, error).message],
    };
  }
}

async function ask({ url }: ServiceAccess, path: string, headers: Record<string, string> = {}) {
  const response = await new Larder({ url }).request(path, {
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, text: await response.text() };
}

interface FiguresAnswer {
  /** Absent without a key that may read metrics. */
  readonly figures?: ServiceFigures | undefined;
  /** A problem with a given key; the first key may be revoked. */
  readonly problem?: string;
}

async function askForFigures(access: ServiceAccess): Promise<FiguresAnswer> {
  if (access.key === undefined) return {};
  const { status, text } = await ask(access, '/metrics', { authorization: `Bearer ${access.key}` });
  if (status === 401 && access.isKeyGiven) {
    return { problem: `The service refuses ${access.keyName}: ${messageOf(text) ?? status}` };
  }
  return { figures: readServiceFigures(text) };
}

function problemsOf({
  catalogueProblem,
  database,
  databaseProblem,
  storage,
  limitsCountedBy,
}: z.infer<typeof readinessSchema>): string[] {
  return [
    catalogueProblem,
    databaseProblem,
    database === 'unreachable' ? 'The database does not answer.' : undefined,
    storage === 'full' ? 'The disk is almost full: images and imports are refused.' : undefined,
    limitsCountedBy === 'node' ? 'Redis does not answer: each node counts requests for itself.' : undefined,
  ].filter((problem) => problem !== undefined);
}

/** Reads local facts about this machine's service, which works while it is stopped. */
async function lookHere(config: Config, served: string | undefined) {
  const { mode, dataDir } = config;
  const disk = openDisk(config);
  const store = openCatalogueStore(config);
  const name = served ?? (await store.current());
  const info =
    name === undefined ? undefined : await readCatalogueInfo(store.pathOf(name)).catch(() => undefined);
  return {
    mode,
    dataDir,
    ...(mode === 'embedded' && { hasData: isDataFolder(config) }),
    ...(name !== undefined &&
      info !== undefined && {
        catalogue: { name, foods: info.foods, createdAt: new Date(info.createdAt).toISOString() },
      }),
    disk: { freeBytes: await disk.freeBytes(), reserveBytes: disk.reserveBytes },
  };
}

function statusText({
  address,
  state,
  version,
  mode,
  dataDir,
  hasData,
  catalogue,
  database,
  disk,
  missingScanPackages: missing = [],
  scanQueue,
  refusals = [],
  refusedOrigins,
}: Status): string {
  const other =
    version === undefined || version === packageJson.version
      ? ''
      : `; this program is ${packageJson.version}`;
  const made = catalogue?.createdAt === undefined ? '' : `, made ${catalogue.createdAt}`;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['address', address],
    ['state', state],
    ['version', version && version + other],
    ['mode', mode],
    ['data', dataDir && dataDir + (hasData === false ? ' (it has no data of Larder)' : '')],
    ['catalogue', catalogue && `${catalogue.name}, ${counted(catalogue.foods, 'food')}${made}`],
    ['database', database],
    [
      'disk',
      disk && `${size(disk.freeBytes)} free, of which ${size(disk.reserveBytes)} are kept for the database`,
    ],
    [
      'packages',
      missing.length === 0
        ? undefined
        : `missing: ${missing.join(', ')} for ${missing.includes('sharp') ? 'scans' : 'scans of labels and dishes'}; \`npm ci\` without --omit=optional installs them`,
    ],
    ['scans', scanQueue && `${scanQueue.waiting} waiting, ${scanQueue.running} running`],
    ...refusals.map(
      ({ method, route, code, count, lastAt }, at) =>
        [
          at === 0 ? 'refused' : '',
          `${lastAt} ${method} ${route}: ${code}, ${counted(count, 'time')}`,
        ] as const,
    ),
    [
      'origins',
      refusedOrigins
        ? `${counted(refusedOrigins, 'request')} of pages refused; the log names their origins, LARDER_CORS_ORIGINS can allow them`
        : undefined,
    ],
  ];
  return toLines(
    lines.filter(([, text]) => text !== undefined).map(([name, text]) => `${name.padEnd(11)}${text}`),
  );
}

function messageOf(text: string): string | undefined {
  return z.object({ error: z.object({ message: z.string() }) }).safeParse(parseJson(text)).data?.error
    .message;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
