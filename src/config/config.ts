import { resolve } from 'node:path';
import { OperatorError } from '../errors.ts';
import type { DishModel, TokenPrices } from './parsers.ts';
import { type ExternalApi, type LogLevel, SETTINGS, type Setting } from './settings.ts';

/** More slips than this, and the name was probably meant otherwise. */
const MAX_SLIPS = 4;

/** What to say about a name that is no setting: the one of `known` that was probably meant. */
function suggestion(name: string, known: readonly string[]): string {
  const [closest] = known.toSorted((a, b) => slipsBetween(a, name) - slipsBetween(b, name));
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

/** A vision model behind an OpenAI-compatible API. */
export interface VisionConfig {
  readonly url: string;
  readonly model: string;
  readonly timeoutMs: number;
  readonly prices?: TokenPrices;
  /** Kept apart, so that the rest of the configuration may be shown. */
  readonly secrets: { readonly apiKey: string };
}

/** How much one node asks of PostgreSQL at a time, and how long it waits. */
export interface DatabaseConfig {
  /** Most connections that all API threads open together. */
  readonly connections: number;
  readonly waitTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly migrationTimeoutMs: number;
}

/** Where a cluster keeps its objects. */
export interface S3Config {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly addressing: 'path' | 'host';
}

/** Everything in one data folder, for one process. */
interface EmbeddedConfig extends CommonConfig {
  readonly mode: 'embedded';
}

/** One node among others. */
export interface ClusterConfig extends CommonConfig {
  readonly mode: 'cluster';
  readonly redisTimeoutMs: number;
  readonly database: DatabaseConfig;
  readonly s3: S3Config;
  /** Kept apart, so that the rest of the configuration may be shown. The addresses hold passwords. */
  readonly secrets: {
    readonly databaseUrl: string;
    /** The server itself, where `databaseUrl` leads to a pooler; otherwise the same address. */
    readonly databaseListenUrl: string;
    /** Absent where the primary answers everything. */
    readonly databaseReplicaUrl?: string;
    readonly redisUrl: string;
    readonly s3SecretAccessKey: string;
    /** Absent where the object store does not tell of uploads. */
    readonly storageEvents?: string;
  };
}

/** The whole configuration, read once at start and never changed. */
export type Config = EmbeddedConfig | ClusterConfig;

/** What is to be configured whatever the mode. */
interface CommonConfig {
  readonly host: string;
  readonly port: number;
  /** Absent: whatever clients ask for. */
  readonly publicUrl?: string;
  /** Absolute path. */
  readonly dataDir: string;
  readonly diskReserveMb: number;
  readonly apiThreads: number;
  /** Images that one node takes at one time. */
  readonly uploads: number;
  readonly logLevel: LogLevel;
  readonly shutdownTimeoutMs: number;
  readonly oidc?: OidcConfig;
  /** Empty: nobody is believed to speak for another client. */
  readonly trustedProxies: readonly string[];
  readonly outgoingNetworks: readonly string[];
  /** Empty: no page of another origin may read answers. */
  readonly corsOrigins: readonly string[];
  readonly offExportUrl: string;
  readonly fdcExportUrl: string;
  /** Live API keys that one tenant may have. */
  readonly keysPerTenant: number;
  /** What one tenant may enter. */
  readonly ownFoods: { readonly foods: number; readonly words: number };
  readonly ownFoodsMemoryMb: number;
  /** Foods of external services that are kept. */
  readonly externalFoods: number;
  readonly externalApis: readonly ExternalApi[];
  readonly offApiUrl: string;
  readonly fdcApiUrl: string;
  readonly fdcApiKey: string;
  /** Threads of `larder serve` that analyse images; 0 for none. */
  readonly scanWorkers: number;
  /** Absent: a worker opens no port. */
  readonly workerPort?: number;
  readonly scanTimeoutMs: number;
  /** How many scans of a user and of a tenant may be unfinished at one time, and how many images a tenant may have stored. */
  readonly scanLimits: { readonly perUser: number; readonly perTenant: number; readonly images: number };
  readonly imageRetentionHours: number;
  readonly scanRetentionDays: number;
  readonly dishModel: DishModel;
  readonly vision?: VisionConfig;
}

/**
 * Reads the configuration from environment variables. Throws an `OperatorError` that names every unknown
 * `LARDER_…` variable and every bad value, all at once.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems = Object.keys(env)
    .filter((name) => name.startsWith('LARDER_') && !(name in SETTINGS))
    .map((name) => `${name} is not a setting${suggestion(name, Object.keys(SETTINGS))}`);

  const read = <N extends SettingName>(name: N): SettingValue<N> => {
    const { fallback, parse, isSecret } = SETTINGS[name] as Setting<SettingValue<N>>;
    const given = env[name];
    try {
      return parse(given === undefined || given === '' ? fallback : given.trim());
    } catch (error) {
      const shown = isSecret ? name : `${name}=${JSON.stringify(given)}`;
      problems.push(`${shown} ${(error as Error).message}`);
      return parse(fallback);
    }
  };

  const publicUrl = read('LARDER_PUBLIC_URL');
  const workerPort = read('LARDER_WORKER_PORT');
  const storageEvents = read('LARDER_STORAGE_EVENTS_SECRET');
  const oidcIssuer = read('LARDER_OIDC_ISSUER');
  const tenantClaim = read('LARDER_OIDC_TENANT_CLAIM');
  const oidc: OidcConfig = {
    issuer: oidcIssuer,
    audience: read('LARDER_OIDC_AUDIENCE'),
    userClaim: read('LARDER_OIDC_USER_CLAIM'),
    scopeClaim: read('LARDER_OIDC_SCOPE_CLAIM'),
    ...(tenantClaim !== '' && { tenantClaim }),
  };
  const prices = read('LARDER_VISION_PRICES');
  const vision: VisionConfig = {
    url: read('LARDER_VISION_URL'),
    model: read('LARDER_VISION_MODEL'),
    timeoutMs: read('LARDER_VISION_TIMEOUT_MS'),
    ...(prices !== undefined && { prices }),
    secrets: { apiKey: read('LARDER_VISION_KEY') },
  };
  if ((vision.url === '') !== (vision.model === '')) {
    problems.push('LARDER_VISION_URL and LARDER_VISION_MODEL are of use together only; set both or none');
  }
  const common: CommonConfig = {
    host: read('LARDER_HOST'),
    port: read('LARDER_PORT'),
    ...(publicUrl !== '' && { publicUrl }),
    dataDir: resolve(read('LARDER_DATA_DIR')),
    diskReserveMb: read('LARDER_DISK_RESERVE_MB'),
    apiThreads: read('LARDER_THREADS'),
    uploads: read('LARDER_UPLOADS'),
    logLevel: read('LARDER_LOG_LEVEL'),
    shutdownTimeoutMs: read('LARDER_SHUTDOWN_TIMEOUT_MS'),
    ...(oidcIssuer !== '' && { oidc }),
    trustedProxies: read('LARDER_TRUSTED_PROXIES'),
    outgoingNetworks: read('LARDER_OUTGOING_NETWORKS'),
    corsOrigins: read('LARDER_CORS_ORIGINS'),
    offExportUrl: read('LARDER_OFF_EXPORT_URL'),
    fdcExportUrl: read('LARDER_FDC_EXPORT_URL'),
    keysPerTenant: read('LARDER_KEYS_PER_TENANT'),
    ownFoods: {
      foods: read('LARDER_OWN_FOODS_PER_TENANT'),
      words: read('LARDER_OWN_FOOD_WORDS_PER_TENANT'),
    },
    ownFoodsMemoryMb: read('LARDER_OWN_FOODS_MEMORY_MB'),
    externalFoods: read('LARDER_OUTSIDE_FOODS'),
    externalApis: read('LARDER_OUTSIDE_APIS'),
    offApiUrl: read('LARDER_OFF_API_URL'),
    fdcApiUrl: read('LARDER_FDC_API_URL'),
    fdcApiKey: read('LARDER_FDC_API_KEY'),
    scanWorkers: read('LARDER_SCAN_WORKERS'),
    ...(workerPort !== undefined && { workerPort }),
    scanTimeoutMs: read('LARDER_SCAN_TIMEOUT_MS'),
    scanLimits: {
      perUser: read('LARDER_UNFINISHED_SCANS_PER_USER'),
      perTenant: read('LARDER_UNFINISHED_SCANS_PER_TENANT'),
      images: read('LARDER_STORED_IMAGES_PER_TENANT'),
    },
    imageRetentionHours: read('LARDER_IMAGE_RETENTION_HOURS'),
    scanRetentionDays: read('LARDER_SCAN_RETENTION_DAYS'),
    dishModel: read('LARDER_DISH_MODEL'),
    ...(vision.url !== '' && { vision }),
  };
  const databaseUrl = read('LARDER_DATABASE_URL');
  const databaseReplicaUrl = read('LARDER_DATABASE_REPLICA_URL');
  const cluster = {
    mode: 'cluster' as const,
    redisTimeoutMs: read('LARDER_REDIS_TIMEOUT_MS'),
    database: {
      connections: read('LARDER_DATABASE_CONNECTIONS'),
      waitTimeoutMs: read('LARDER_DATABASE_WAIT_TIMEOUT_MS'),
      statementTimeoutMs: read('LARDER_DATABASE_STATEMENT_TIMEOUT_MS'),
      migrationTimeoutMs: read('LARDER_DATABASE_MIGRATION_TIMEOUT_MS'),
    },
    s3: {
      endpoint: read('LARDER_S3_ENDPOINT'),
      bucket: read('LARDER_S3_BUCKET'),
      region: read('LARDER_S3_REGION'),
      accessKeyId: read('LARDER_S3_ACCESS_KEY_ID'),
      addressing: read('LARDER_S3_ADDRESSING'),
    },
    secrets: {
      databaseUrl,
      databaseListenUrl: read('LARDER_DATABASE_LISTEN_URL') || databaseUrl,
      ...(databaseReplicaUrl !== '' && { databaseReplicaUrl }),
      redisUrl: read('LARDER_REDIS_URL'),
      s3SecretAccessKey: read('LARDER_S3_SECRET_ACCESS_KEY'),
      ...(storageEvents !== '' && { storageEvents }),
    },
  };
  const isCluster = CLUSTER_SETTINGS.some((name) => isGiven(env[name]));
  if (isCluster) problems.push(...missingFromCluster(env));
  if (problems.length > 0) {
    throw new OperatorError(
      `The configuration has a mistake:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  return Object.freeze(isCluster ? { ...common, ...cluster } : { ...common, mode: 'embedded' as const });
}

const CLUSTER_SETTINGS = Object.keys(SETTINGS).filter((name) => /^LARDER_(DATABASE|S3|REDIS)_/.test(name));
/** A cluster works without them. */
const OPTIONAL_SETTINGS = ['LARDER_DATABASE_LISTEN_URL', 'LARDER_DATABASE_REPLICA_URL'];

function isGiven(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

/** A cluster has all of its parts or none: with half of them nodes would answer differently. */
function missingFromCluster(env: Readonly<Record<string, string | undefined>>): string[] {
  const given = CLUSTER_SETTINGS.filter((name) => isGiven(env[name]));
  const missing = CLUSTER_SETTINGS.filter(
    (name) =>
      !isGiven(env[name]) &&
      SETTINGS[name as SettingName].fallback === '' &&
      !OPTIONAL_SETTINGS.includes(name),
  );
  if (missing.length === 0) return [];
  return [`${given[0]} makes this a node of a cluster, which needs ${missing.join(', ')} as well`];
}
