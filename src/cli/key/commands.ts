import { createInterface } from 'node:readline/promises';
import { AppError, OperatorError } from '@larder/core/errors.ts';
import { Argument, Command, Option } from 'commander';
import { type ApiKey, SCOPES, type Scope } from '../../access/api-key.ts';
import { keyIdIn } from '../../access/key-format.ts';
import type { IssuedKey, KeyIssuer } from '../../access/key-issuer.ts';
import type { KeyStore } from '../../access/key-store.ts';
import { type Tenant, TenantDirectory } from '../../access/tenant-directory.ts';
import { createKeyIssuer, openKeyStore } from '../../app/keys.ts';
import { counted, editsBetween } from '../../base/texts.ts';
import {
  DEFAULT_LIMITS,
  LIMITED_OPERATIONS,
  type LimitsChange,
  type OwnLimits,
} from '../../limits/operations.ts';
import { columns, toLines } from '../terminal/format.ts';
import { print, printResult, type Terminal, tell } from '../terminal/terminal.ts';
import { withDatabase } from '../terminal/with-database.ts';
import {
  parseDuration,
  parseExpiry,
  parseLimits,
  parseLimitsChange,
  parseName,
  parseScopes,
  parseTenant,
} from './options.ts';

/** Maximum number of different letters of a suggested name. */
const MAX_EDITS = 2;
const MAX_NAMED = 5;

/**
 * Prevents tenants that are created by a typing error: asks on a terminal, otherwise throws an
 * `OperatorError`. The first tenant needs no confirmation.
 */
async function confirmNewTenant(
  terminal: Terminal,
  directory: TenantDirectory,
  tenant: string,
): Promise<void> {
  const names: string[] = [];
  for await (const { name } of directory.tenants(Date.now() / 1000)) {
    if (name === tenant) return;
    names.push(name);
  }
  if (names.length === 0) return;
  const isNew = `There is no tenant ${tenant} yet. ${describe(tenant, names)}`;
  if (await isConfirmed(terminal, `${isNew} Create it? [y/N] `)) return;
  throw new OperatorError(`${isNew} To create it, add --new-tenant.`);
}

/** Lists similar tenants, or some of the existing ones. */
function describe(tenant: string, names: readonly string[]): string {
  const [typed, maxEdits] = [tenant.toLowerCase(), Math.min(MAX_EDITS, Math.ceil(tenant.length / 3))];
  const similar = names.filter((name) => editsBetween(name.toLowerCase(), typed) <= maxEdits);
  if (similar.length > 0) return `Similar: ${similar.slice(0, MAX_NAMED).join(', ')}.`;
  const others =
    names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more (larder tenant list)` : '';
  return `Existing: ${names.slice(0, MAX_NAMED).join(', ')}${others}.`;
}

/** False if there is no terminal for the question. */
async function isConfirmed(terminal: Terminal, question: string): Promise<boolean> {
  const { in: input, err } = terminal;
  if (input === undefined || !isTerminal(input) || !isTerminal(err)) return false;
  const questions = createInterface({ input, output: err });
  // Ctrl-C and Ctrl-D end the question without an answer.
  const ended = new AbortController();
  questions.once('SIGINT', () => questions.close());
  questions.once('close', () => ended.abort());
  try {
    return /^y(es)?$/i.test((await questions.question(question, { signal: ended.signal })).trim());
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    tell(terminal, '\n');
    return false;
  } finally {
    questions.close();
  }
}

function isTerminal(stream: NodeJS.ReadableStream | NodeJS.WritableStream): boolean {
  return (stream as { readonly isTTY?: boolean }).isTTY === true;
}

interface CreateOptions {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  readonly expires?: number;
  readonly name?: string;
  readonly limits?: OwnLimits;
  readonly newTenant?: true;
  readonly beyondQuota?: true;
  readonly json?: true;
}

function keyCreateCommand(terminal: Terminal): Command {
  return new Command('create')
    .description('Create an API key. It is shown only once.')
    .addOption(
      required('--tenant <name>', 'the tenant whose foods, scans and diaries the key can use').argParser(
        parseTenant,
      ),
    )
    .addOption(required('--scopes <list>', `what the key may do: ${SCOPES.join(',')}`).argParser(parseScopes))
    .addOption(
      new Option(
        '--expires <when>',
        'when the key expires: a date, a time, or a duration such as 30d; default: never',
      ).argParser((text) => parseExpiry(text, Date.now())),
    )
    .addOption(new Option('--name <text>', 'a display name').argParser(parseName))
    .addOption(
      new Option('--limits <list>', 'limits of this key: requests a minute for each operation').argParser(
        parseLimits,
      ),
    )
    .option('--new-tenant', 'create the tenant if it does not exist, without a question')
    .option('--beyond-quota', 'create the key although the tenant has LARDER_KEYS_PER_TENANT valid keys')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  larder key create --tenant default --scopes foods:read,scan
  larder key create --tenant acme --new-tenant --scopes foods:read,scan
  larder key create --tenant acme --scopes foods:read --expires 30d --name "CI" --json
  larder key create --tenant acme --scopes foods:read --limits search=1000,barcode=2000`,
    )
    .action(
      async ({ tenant, scopes, expires, name, limits, newTenant, beyondQuota, json }: CreateOptions) => {
        await withKeys(terminal, async ({ issuer, tenants, keysPerTenant }) => {
          if (!newTenant) await confirmNewTenant(terminal, tenants, tenant);
          const request = {
            tenant,
            scopes,
            ...(expires !== undefined && { expiresAt: expires }),
            ...(name !== undefined && { name }),
            ...(limits !== undefined && { limits }),
          };
          const maxKeys = beyondQuota ? undefined : keysPerTenant;
          const issued = await issuer
            .create(request, maxKeys)
            .catch(explainQuota(request.tenant, keysPerTenant));
          printIssued(terminal, issued, json ?? false);
        });
      },
    );
}

function explainQuota(tenant: string, maxKeys: number) {
  return (cause: unknown): never => {
    if (!(cause instanceof AppError && cause.code === 'quota_exceeded')) throw cause;
    throw new OperatorError(
      `Tenant ${tenant} has ${counted(maxKeys, 'live key')}, as many as LARDER_KEYS_PER_TENANT allows. Revoke some, or add --beyond-quota.`,
      { cause },
    );
  };
}

function required(flags: string, description: string): Option {
  return new Option(flags, description).makeOptionMandatory();
}

function keyLimitsCommand(terminal: Terminal): Command {
  return new Command('limits')
    .description(
      'Show or change the rate limits of an API key. A running service applies changes within a second.',
    )
    .argument('<id>', 'id of the key, as "larder key list" shows it')
    .addArgument(
      new Argument(
        '[changes]',
        'requests a minute for each operation, or "default"; other limits do not change',
      ).argParser(parseLimitsChange),
    )
    .option('--json', 'print the key as one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  larder key limits 1xUf0O1ZNLc9
  larder key limits 1xUf0O1ZNLc9 search=1000,barcode=default`,
    )
    .action(async (id: string, changes: LimitsChange | undefined, { json }: { json?: true }) => {
      await withKeys(terminal, async ({ store }) => {
        const key =
          changes === undefined ? (await store.find(id))?.key : await store.changeLimits(id, changes);
        if (key === undefined) throw noSuchKey(id);
        print(terminal, json ? `${JSON.stringify(toJson(key))}\n` : limitsTable(key));
      });
    });
}

function limitsTable({ limits }: ApiKey): string {
  return toLines(
    LIMITED_OPERATIONS.map((operation) => {
      const own = limits?.[operation];
      const count = String(own ?? DEFAULT_LIMITS[operation]).padStart(8);
      return `${operation.padEnd(12)}${count} a minute${own === undefined ? '' : `  (default ${DEFAULT_LIMITS[operation]})`}`;
    }),
  );
}

const PAGE_SIZE = 1_000;

interface ListOptions {
  readonly tenant?: string;
  readonly json?: true;
}

function keyListCommand(terminal: Terminal): Command {
  return new Command('list')
    .description(
      'List API keys in the order of their creation. Their texts are not stored, so they cannot be shown.',
    )
    .addOption(new Option('--tenant <name>', 'only keys of this tenant').argParser(parseTenant))
    .option('--json', 'print one JSON array')
    .addHelpText('after', '\nExamples:\n  larder key list\n  larder key list --tenant acme --json')
    .action(async ({ tenant, json }: ListOptions) => {
      await withKeys(terminal, async ({ store }) => {
        const nowSeconds = Date.now() / 1000;
        // Keys are read in pages: a tenant may have any number of revoked keys.
        let isFirst = true;
        for await (const keys of pagesOf(store, tenant)) {
          print(terminal, json ? toJsonText(keys, isFirst) : toTable(keys, isFirst, nowSeconds));
          if (isFirst && keys.length === 0) {
            const whose = tenant === undefined ? 'There are no keys' : `Tenant ${tenant} has no keys`;
            tell(terminal, `${whose}; \`larder key create\` makes one.\n`);
          }
          isFirst = false;
        }
        if (json) print(terminal, ']\n');
      });
    });
}

async function* pagesOf(store: KeyStore, tenant: string | undefined): AsyncGenerator<readonly ApiKey[]> {
  let after = '';
  for (;;) {
    const page = await store.list({ ...(tenant !== undefined && { tenant }), after, limit: PAGE_SIZE });
    if (page.length > 0 || after === '') yield page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.id;
  }
}

const HEAD = ['id', 'created', 'state', 'last used', 'tenant', 'scopes', 'name'];

function toTable(keys: readonly ApiKey[], isFirst: boolean, nowSeconds: number): string {
  if (keys.length === 0) return '';
  const rows = keys.map((key) => toRow(key, nowSeconds));
  return columns(isFirst ? [HEAD, ...rows] : rows);
}

function toJsonText(keys: readonly ApiKey[], isFirst: boolean): string {
  const lines = keys.map((key) => `${JSON.stringify(toJson(key))}\n`);
  return `${isFirst ? '[' : ','}${lines.join(',')}`;
}

function toRow(key: ApiKey, nowSeconds: number): string[] {
  const { id, createdAt, lastUsedAt, tenant, scopes, name = '' } = key;
  const used = lastUsedAt === undefined ? 'never' : toIso(lastUsedAt).slice(0, 10);
  return [id, toIso(createdAt), state(key, nowSeconds), used, tenant, scopes.join(','), name];
}

function state({ revokedAt, expiresAt }: ApiKey, nowSeconds: number): string {
  if (revokedAt !== undefined) {
    return `${revokedAt <= nowSeconds ? 'revoked' : 'valid until'} ${toIso(revokedAt)}`;
  }
  if (expiresAt !== undefined)
    return `${expiresAt <= nowSeconds ? 'expired' : 'valid until'} ${toIso(expiresAt)}`;
  return 'valid';
}

function keyRevokeCommand(terminal: Terminal): Command {
  return new Command('revoke')
    .description('Revoke an API key. A running service refuses it within a second.')
    .argument('<id>', 'id of the key, as "larder key list" shows it')
    .option('--json', 'print the key as one JSON object')
    .addHelpText('after', '\nExample:\n  larder key revoke 1xUf0O1ZNLc9')
    .action(async (id: string, { json }: { json?: true }) => {
      await withKeys(terminal, async ({ issuer }) => {
        const key = await issuer.revoke(id);
        if (key === undefined) throw noSuchKey(id);
        printResult(terminal, json, toJson(key), `Key ${id} is revoked.\n`);
      });
    });
}

interface RotateOptions {
  readonly overlap?: number;
  readonly json?: true;
}

function keyRotateCommand(terminal: Terminal): Command {
  return new Command('rotate')
    .description(
      'Create a new key with the same tenant, scopes, limits and lifetime, and revoke the old key.',
    )
    .argument('<id>', 'id of the key, as "larder key list" shows it')
    .addOption(
      new Option(
        '--overlap <time>',
        'how long the old key stays valid, such as 24h; default: it ends at once',
      ).argParser(parseDuration),
    )
    .option('--json', 'print the new key as one JSON object')
    .addHelpText('after', '\nExample:\n  larder key rotate 1xUf0O1ZNLc9 --overlap 24h')
    .action(async (id: string, { overlap, json }: RotateOptions) => {
      await withKeys(terminal, async ({ store, issuer }) => {
        if ((await store.find(id))?.key.userId !== undefined)
          throw new OperatorError(
            `Key ${id} is of a person, who creates another one in the settings of the page.`,
          );
        const issued = await issuer.rotate(id, overlap ?? 0);
        if (issued !== undefined) printIssued(terminal, issued, json ?? false);
        else if ((await store.find(id)) === undefined) throw noSuchKey(id);
        else throw new OperatorError(`Key ${id} is revoked; create a new one with "larder key create".`);
      });
    });
}

export function keyCommand(terminal: Terminal): Command {
  return new Command('key')
    .description('Create, list, change, revoke and rotate API keys.')
    .addCommand(keyCreateCommand(terminal))
    .addCommand(keyListCommand(terminal))
    .addCommand(keyLimitsCommand(terminal))
    .addCommand(keyRevokeCommand(terminal))
    .addCommand(keyRotateCommand(terminal));
}

interface KeySession {
  readonly store: KeyStore;
  readonly issuer: KeyIssuer;
  readonly tenants: TenantDirectory;
  readonly keysPerTenant: number;
}

function withKeys(terminal: Terminal, use: (session: KeySession) => Promise<void>): Promise<void> {
  return withDatabase(terminal, (database, { keysPerTenant }) => {
    const store = openKeyStore(database);
    const issuer = createKeyIssuer(store, database.nowMs);
    return use({ store, tenants: new TenantDirectory(database), issuer, keysPerTenant });
  });
}

function noSuchKey(id: string): OperatorError {
  const idInText = keyIdIn(id);
  return new OperatorError(
    idInText === undefined
      ? `There is no key ${JSON.stringify(id)}; "larder key list" shows them all.`
      : `Name a key by its id, not by its text. The id of this text is ${idInText}.`,
  );
}

/** A key as JSON: times in ISO 8601, absent fields left out. */
function toJson({ createdAt, expiresAt, revokedAt, lastUsedAt, ...key }: ApiKey): Record<string, unknown> {
  return {
    ...key,
    createdAt: toIso(createdAt),
    ...(expiresAt !== undefined && { expiresAt: toIso(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: toIso(revokedAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: toIso(lastUsedAt) }),
  };
}

/** The only output of a key's text. */
function printIssued(terminal: Terminal, { key, text }: IssuedKey, asJson: boolean): void {
  if (asJson) {
    const { id, ...rest } = toJson(key);
    print(terminal, `${JSON.stringify({ id, key: text, ...rest })}\n`);
    return;
  }
  tell(terminal, `Key ${key.id} for tenant ${key.tenant}. It is shown this once; keep it now:\n`);
  print(terminal, `${text}\n`);
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

export function tenantCommand(terminal: Terminal): Command {
  const list = new Command('list')
    .description('List the tenants that have keys or users.')
    .option('--json', 'print one JSON array')
    .addHelpText('after', '\nExample:\n  larder tenant list')
    .action(({ json }: { json?: true }) =>
      withKeys(terminal, async ({ tenants }) => {
        const found: Tenant[] = [];
        for await (const tenant of tenants.tenants(Date.now() / 1000)) found.push(tenant);
        const rows = found.map(({ name, liveKeys, users }) => [name, String(liveKeys), String(users)]);
        if (json) print(terminal, `${JSON.stringify(found)}\n`);
        else if (rows.length > 0) print(terminal, columns([['tenant', 'valid keys', 'users'], ...rows]));
        else tell(terminal, 'There are no tenants; `larder key create` makes the first one.\n');
      }),
    );
  return new Command('tenant').description('List tenants.').addCommand(list);
}
