import { OperatorError } from '@larder/core/errors.ts';
import { editsBetween } from '../base/texts.ts';
import { BACKUP } from './backup-settings.ts';
import { CLUSTER } from './cluster-settings.ts';
import { OPENID } from './openid-settings.ts';
import { isSetting, type Setting, type SettingTable, settingsOf, type Values } from './setting.ts';
import { OIDC, SERVICE, SETTINGS, VISION } from './settings.ts';
import type { SettingsFile } from './settings-file.ts';
import { TLS } from './tls-settings.ts';

/** Maximum differing letters of a suggestion; beyond that, another setting was probably meant. */
const MAX_EDITS = 4;

interface CommonConfig extends Values<typeof SERVICE> {
  readonly tls: Values<typeof TLS> | undefined;
  readonly backup: Values<typeof BACKUP> | undefined;
  readonly oidc: Values<typeof OIDC> | undefined;
  readonly openId: Values<typeof OPENID> | undefined;
  readonly vision: Values<typeof VISION> | undefined;
  readonly ignored: readonly IgnoredSettings[];
}

/** Settings that have no effect without another one. */
interface IgnoredSettings {
  readonly settings: readonly string[];
  readonly missing: string;
}

/** One process with all data in one folder. */
interface EmbeddedConfig extends CommonConfig {
  readonly mode: 'embedded';
}

/** One node of a cluster. */
export interface ClusterConfig extends CommonConfig, Values<typeof CLUSTER> {
  readonly mode: 'cluster';
  /** The address for listening defaults to that of the database. */
  readonly secrets: Values<typeof CLUSTER.secrets> & { readonly databaseListenUrl: string };
}

/** The whole configuration, read once at start and never changed. */
export type Config = EmbeddedConfig | ClusterConfig;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from environment variables and, where they say nothing, from a file. Throws an `OperatorError`
 * that names every unknown `LARDER_…` variable and every bad value, all at once.
 */
export function readConfig(env: Environment, file?: SettingsFile): Config {
  const reader = new EnvironmentReader(env, file);
  const common = {
    ...reader.read(SERVICE),
    tls: reader.readGroup(TLS, 'serves TLS', /_(CERT|KEY)$/),
    backup: reader.readGroup(BACKUP, 'makes backups on a schedule', /_TO$/),
    oidc: reader.readGroup(OIDC, 'takes tokens of an OpenID issuer', /_ISSUER$/),
    openId: reader.readGroup(OPENID, 'lets people sign in by OpenID', /_ISSUER$/),
    vision: reader.readGroup(VISION, 'asks a vision model', /_(URL|MODEL)$/),
  };
  const cluster = reader.readGroup(CLUSTER, 'makes this a node of a cluster', /^LARDER_(DATABASE|S3|REDIS)_/);
  if (common.openId !== undefined && common.publicUrl === undefined)
    reader.problems.push(
      'LARDER_OPENID_ISSUER needs LARDER_PUBLIC_URL as well, to which the provider sends people back',
    );
  const { backup } = common;
  if (backup?.to?.kind === 's3' && (!backup.accessKeyId || !backup.secrets.secretAccessKey))
    reader.problems.push(
      'LARDER_BACKUP_TO names an object store, which needs LARDER_BACKUP_S3_ACCESS_KEY_ID and LARDER_BACKUP_S3_SECRET_ACCESS_KEY as well',
    );
  if (backup !== undefined && cluster !== undefined)
    reader.problems.push(
      'LARDER_BACKUP_TO backs up a data folder: a cluster has its data in PostgreSQL, whose own tools back it up; see docs/cluster.md',
    );
  if (reader.problems.length > 0) {
    throw new OperatorError(
      `The configuration has a mistake:\n${reader.problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  const { ignored } = reader;
  if (cluster === undefined) return Object.freeze({ ...common, ignored, mode: 'embedded' });
  const { secrets } = cluster;
  const databaseListenUrl = secrets.databaseListenUrl ?? secrets.databaseUrl;
  return Object.freeze({
    ...common,
    ...cluster,
    ignored,
    secrets: { ...secrets, databaseListenUrl },
    mode: 'cluster',
  });
}

class EnvironmentReader {
  readonly #env: Environment;
  readonly #file: SettingsFile | undefined;
  readonly problems: string[];
  readonly ignored: IgnoredSettings[] = [];

  constructor(env: Environment, file: SettingsFile | undefined) {
    this.#env = env;
    this.#file = file;
    const known = SETTINGS.map(({ name }) => name as string);
    this.problems = Object.keys({ ...env, ...file?.values })
      .filter((name) => name.startsWith('LARDER_') && !known.includes(name))
      .map((name) => `${name}${this.#origin(name)} is not a setting${suggestion(name, known)}`);
  }

  read<T extends SettingTable>(table: T, isSecret = false): Values<T> {
    const values = Object.entries(table).map(([field, row]) => [
      field,
      isSetting(row) ? this.#value(row, isSecret) : this.read(row, field === 'secrets'),
    ]);
    return Object.fromEntries(values);
  }

  /**
   * Returns undefined if no given setting has a name with the group's prefix. Otherwise all required ones
   * must be given, because an incomplete group is a mistake.
   */
  readGroup<T extends SettingTable>(table: T, effect: string, begins: RegExp): Values<T> | undefined {
    const rows = settingsOf(table);
    const first = rows.find(({ name }) => begins.test(name) && this.#given(name) !== undefined);
    const missing = rows.filter(({ name, isRequired }) => isRequired && this.#given(name) === undefined);
    if (first !== undefined && missing.length > 0) {
      const names = missing.map(({ name }) => name).join(', ');
      this.problems.push(`${first.name} ${effect}, which needs ${names} as well`);
    }
    const values = this.read(table);
    if (first !== undefined) return values;
    const given = rows.filter(({ name }) => this.#given(name) !== undefined).map(({ name }) => name);
    if (given.length > 0) this.ignored.push({ settings: given, missing: missing[0]!.name });
    return undefined;
  }

  #given(name: string): string | undefined {
    return this.#env[name]?.trim() || this.#file?.values[name]?.trim() || undefined;
  }

  /** Names the file in messages about its settings. */
  #origin(name: string): string {
    const isInFile = !this.#env[name]?.trim() && this.#file?.values[name] !== undefined;
    return isInFile ? ` of ${this.#file?.path}` : '';
  }

  #value({ name, schema, fallback }: Setting<unknown>, isSecret: boolean): unknown {
    const given = this.#given(name);
    const text = given ?? fallback;
    if (text === undefined) return undefined;
    const { success, data, error } = schema.safeParse(text);
    if (success) return data;
    const shown = isSecret ? name : `${name}=${JSON.stringify(given)}`;
    this.problems.push(`${shown}${this.#origin(name)} ${error.issues[0]!.message}`);
    return undefined;
  }
}

/** Suggests the name of `known` that was probably meant by an unknown name. */
function suggestion(name: string, known: readonly string[]): string {
  const [closest] = known.toSorted((a, b) => editsBetween(a, name) - editsBetween(b, name));
  const begun = known.find((setting) => setting.startsWith(`${name}_`));
  const meant = begun ?? (editsBetween(closest!, name) <= MAX_EDITS ? closest : undefined);
  return meant === undefined ? '; see docs/configuration.md' : `; did you mean ${meant}?`;
}
