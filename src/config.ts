import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { OperatorError } from './errors.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const OUTSIDE_APIS = ['off', 'fdc'] as const;
export type OutsideApi = (typeof OUTSIDE_APIS)[number];

const MAX_API_THREADS = 64;
const MAX_DEFAULT_API_THREADS = 8;

/** What one environment variable means. `parse` throws a plain Error that says what a good value looks like. */
interface Setting<T> {
  readonly fallback: string;
  readonly parse: (text: string) => T;
  readonly meaning: string;
}

function setting<T>(fallback: string, parse: (text: string) => T, meaning: string): Setting<T> {
  return { fallback, parse, meaning };
}

/** Every `LARDER_…` name there is. `docs/configuration.md` is held equal to this table by a test. */
export const SETTINGS = {
  LARDER_HOST: setting(
    '127.0.0.1',
    nonEmpty,
    'Address to listen on. `0.0.0.0` opens the service to the network.',
  ),
  LARDER_PORT: setting('8080', wholeNumber(0, 65_535), 'TCP port to listen on; `0` takes a free one.'),
  LARDER_DATA_DIR: setting(
    './data',
    nonEmpty,
    'Folder for keys, catalogues and everything else that is kept.',
  ),
  LARDER_THREADS: setting(
    'auto',
    threadCount,
    `API threads that share the port; \`auto\` takes one per processor, at most ${MAX_DEFAULT_API_THREADS}.`,
  ),
  LARDER_LOG_LEVEL: setting('info', oneOf(LOG_LEVELS), `One of ${LOG_LEVELS.join(', ')}.`),
  LARDER_SHUTDOWN_TIMEOUT_MS: setting(
    '10000',
    wholeNumber(0, 600_000),
    'How long requests under way may take to finish after SIGTERM or SIGINT.',
  ),
  LARDER_TRUSTED_PROXIES: setting(
    '',
    networks,
    'Addresses or networks (`10.0.0.0/8`) of load balancers, separated by commas, whose `X-Forwarded-For` says which client asks; none unless set.',
  ),
  LARDER_CORS_ORIGINS: setting(
    '',
    origins,
    'Origins whose pages may read answers, separated by commas, or `*` for all; none unless set.',
  ),
  LARDER_OIDC_ISSUER: setting(
    '',
    issuer,
    'Address of an OpenID issuer whose access tokens are taken besides our own; none unless set.',
  ),
  LARDER_OIDC_AUDIENCE: setting('larder', nonEmpty, 'Audience that its tokens must name.'),
  LARDER_OIDC_USER_CLAIM: setting('sub', nonEmpty, 'Claim that says the user.'),
  LARDER_OIDC_SCOPE_CLAIM: setting(
    'scope',
    nonEmpty,
    'Claim that lists scopes, as an array or separated by spaces.',
  ),
  LARDER_OIDC_TENANT_CLAIM: setting(
    '',
    (text) => text,
    'Claim that says the tenant; unless set, all its users belong to tenant `default`.',
  ),
  LARDER_OFF_EXPORT_URL: setting(
    'https://static.openfoodfacts.org/data/openfoodfacts-products.jsonl.gz',
    webAddress,
    'Where `larder import off` without a file fetches the newest export.',
  ),
  LARDER_FDC_EXPORT_URL: setting(
    'https://fdc.nal.usda.gov/download-datasets',
    webAddress,
    'Where `larder import fdc` without a file finds the newest export: a page that links `.zip` files, or one `.zip`.',
  ),
  LARDER_OUTSIDE_APIS: setting(
    '',
    listOf(OUTSIDE_APIS),
    'Outside services that are asked for barcodes which the catalogue lacks, in this order: `off` (Open Food Facts), `fdc` (USDA FoodData Central), `off,fdc` or none. Their answers become foods.',
  ),
  LARDER_OFF_API_URL: setting(
    'https://world.openfoodfacts.org',
    webAddress,
    'Where the product API of Open Food Facts is.',
  ),
  LARDER_FDC_API_URL: setting(
    'https://api.nal.usda.gov/fdc',
    webAddress,
    'Where the API of FoodData Central is.',
  ),
  LARDER_FDC_API_KEY: setting(
    'DEMO_KEY',
    nonEmpty,
    'The key for the API of FoodData Central; the default allows some 30 questions an hour.',
  ),
} as const;

type SettingName = keyof typeof SETTINGS;
type SettingValue<N extends SettingName> = ReturnType<(typeof SETTINGS)[N]['parse']>;

/** An OpenID issuer outside of this service. */
export interface OidcConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly userClaim: string;
  readonly scopeClaim: string;
  readonly tenantClaim?: string;
}

/** The whole configuration, read once at start and never changed. */
export interface Config {
  readonly mode: 'embedded';
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly dataDir: string;
  readonly apiThreads: number;
  readonly logLevel: LogLevel;
  readonly shutdownTimeoutMs: number;
  readonly oidc?: OidcConfig;
  /** Empty: nobody is believed to speak for another client. */
  readonly trustedProxies: readonly string[];
  /** Empty: no page of another origin may read answers. */
  readonly corsOrigins: readonly string[];
  readonly offExportUrl: string;
  readonly fdcExportUrl: string;
  readonly outsideApis: readonly OutsideApi[];
  readonly offApiUrl: string;
  readonly fdcApiUrl: string;
  readonly fdcApiKey: string;
}

/**
 * Reads the configuration from environment variables. Throws an `OperatorError` that names every unknown
 * `LARDER_…` variable and every bad value, all at once.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems = Object.keys(env)
    .filter((name) => name.startsWith('LARDER_') && !(name in SETTINGS))
    .map((name) => `${name} is not a setting${suggestion(name)}`);

  const read = <N extends SettingName>(name: N): SettingValue<N> => {
    const { fallback, parse } = SETTINGS[name] as Setting<SettingValue<N>>;
    const given = env[name];
    try {
      return parse(given === undefined || given === '' ? fallback : given.trim());
    } catch (error) {
      problems.push(`${name}=${JSON.stringify(given)} ${(error as Error).message}`);
      return parse(fallback);
    }
  };

  const oidcIssuer = read('LARDER_OIDC_ISSUER');
  const tenantClaim = read('LARDER_OIDC_TENANT_CLAIM');
  const oidc: OidcConfig = {
    issuer: oidcIssuer,
    audience: read('LARDER_OIDC_AUDIENCE'),
    userClaim: read('LARDER_OIDC_USER_CLAIM'),
    scopeClaim: read('LARDER_OIDC_SCOPE_CLAIM'),
    ...(tenantClaim !== '' && { tenantClaim }),
  };
  const config: Config = Object.freeze({
    mode: 'embedded' as const,
    host: read('LARDER_HOST'),
    port: read('LARDER_PORT'),
    dataDir: resolve(read('LARDER_DATA_DIR')),
    apiThreads: read('LARDER_THREADS'),
    logLevel: read('LARDER_LOG_LEVEL'),
    shutdownTimeoutMs: read('LARDER_SHUTDOWN_TIMEOUT_MS'),
    ...(oidcIssuer !== '' && { oidc }),
    trustedProxies: read('LARDER_TRUSTED_PROXIES'),
    corsOrigins: read('LARDER_CORS_ORIGINS'),
    offExportUrl: read('LARDER_OFF_EXPORT_URL'),
    fdcExportUrl: read('LARDER_FDC_EXPORT_URL'),
    outsideApis: read('LARDER_OUTSIDE_APIS'),
    offApiUrl: read('LARDER_OFF_API_URL'),
    fdcApiUrl: read('LARDER_FDC_API_URL'),
    fdcApiKey: read('LARDER_FDC_API_KEY'),
  });
  if (problems.length > 0) {
    throw new OperatorError(
      `The configuration has a mistake:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  return config;
}

/** More slips than this, and the name was probably meant otherwise. */
const MAX_SLIPS = 4;

function suggestion(name: string): string {
  const known = Object.keys(SETTINGS);
  const [closest] = known.sort((a, b) => slipsBetween(a, name) - slipsBetween(b, name));
  const begun = known.find((setting) => setting.startsWith(`${name}_`));
  const meant = begun ?? (slipsBetween(closest!, name) <= MAX_SLIPS ? closest : undefined);
  return meant === undefined ? '; see docs/configuration.md' : `; did you mean ${meant}?`;
}

/** How many letters have to be added, removed or changed (Levenshtein). */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < b.length; j++) {
      row.push(Math.min(row[j]! + 1, above[j + 1]! + 1, above[j]! + (letter === b[j] ? 0 : 1)));
    }
  }
  return row[b.length]!;
}

function nonEmpty(text: string): string {
  if (text === '') throw new Error('must not be empty');
  return text;
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

function threadCount(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MAX_DEFAULT_API_THREADS);
  return wholeNumber(1, MAX_API_THREADS)(text);
}

function oneOf<const T extends readonly string[]>(choices: T): (text: string) => T[number] {
  return (text) => {
    if (!choices.includes(text)) throw new Error(`must be one of ${choices.join(', ')}`);
    return text;
  };
}

function origins(text: string): readonly string[] {
  const given = list(text);
  for (const origin of given) {
    if (origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
      throw new Error('must be origins such as https://app.example.org, separated by commas, or *');
    }
  }
  return given;
}

/** Keys that come over a plain connection could be anybody's, so only this machine may offer them so. */
function issuer(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal =
    address?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(address.hostname);
  if (text === '' || address?.protocol === 'https:' || isLocal) return text;
  throw new Error('must be an https address');
}

function networks(text: string): readonly string[] {
  const given = list(text);
  for (const network of given) {
    const [address, bits = '0', ...rest] = network.split('/');
    const maxBits = isIP(address!) === 6 ? 128 : 32;
    if (isIP(address!) === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > maxBits) {
      throw new Error('must be addresses or networks such as 10.0.0.0/8, separated by commas');
    }
  }
  return given;
}

function list(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

function listOf<const T extends readonly string[]>(choices: T): (text: string) => readonly T[number][] {
  return (text) => {
    const names = list(text);
    if (names.some((name) => !choices.includes(name)) || new Set(names).size < names.length) {
      throw new Error(`must be a list out of ${choices.join(', ')}, separated by commas, each once`);
    }
    return names;
  };
}

function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Error('must be an http or https address');
  }
  return text;
}
