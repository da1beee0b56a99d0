import { Command, Option } from 'commander';
import type { ApiKey } from '../../access/api-key.ts';
import type { KeyStore } from '../../access/key-store.ts';
import { columns } from '../terminal/format.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';
import { parseTenant } from './options.ts';
import { toIso, toJson, withKeys } from './session.ts';

const PAGE_SIZE = 1_000;

interface Options {
  readonly tenant?: string;
  readonly json?: true;
}

export function keyListCommand(terminal: Terminal): Command {
  return new Command('list')
    .description(
      'List API keys in the order of their creation. Their texts are not stored, so they cannot be shown.',
    )
    .addOption(new Option('--tenant <name>', 'only keys of this tenant').argParser(parseTenant))
    .option('--json', 'print one JSON array')
    .addHelpText('after', '\nExamples:\n  larder key list\n  larder key list --tenant acme --json')
    .action(async ({ tenant, json }: Options) => {
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
