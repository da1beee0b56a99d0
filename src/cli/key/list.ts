import { Command, Option } from 'commander';
import type { ApiKey } from '../../access/api-key.ts';
import type { KeyStore } from '../../access/key-store.ts';
import type { Terminal } from '../terminal/terminal.ts';
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
      'List API keys in the order of their creation; their texts are not kept and cannot be shown.',
    )
    .addOption(new Option('--tenant <name>', 'only keys of this tenant').argParser(parseTenant))
    .option('--json', 'print one JSON array')
    .addHelpText('after', '\nExamples:\n  larder key list\n  larder key list --tenant acme --json')
    .action(async ({ tenant, json }: Options) => {
      await withKeys(terminal, async ({ store }) => {
        const nowSeconds = Date.now() / 1000;
        let separator = '[\n';
        for await (const key of allKeys(store, tenant)) {
          terminal.out.write(json ? separator + JSON.stringify(toJson(key)) : `${toLine(key, nowSeconds)}\n`);
          separator = ',\n';
        }
        if (json) terminal.out.write(separator === '[\n' ? '[]\n' : '\n]\n');
      });
    });
}

async function* allKeys(store: KeyStore, tenant: string | undefined): AsyncGenerator<ApiKey> {
  let after = '';
  for (;;) {
    const page = await store.list({ ...(tenant !== undefined && { tenant }), after, limit: PAGE_SIZE });
    yield* page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.id;
  }
}

function toLine(key: ApiKey, nowSeconds: number): string {
  const name = key.name === undefined ? '' : `  ${key.name}`;
  return `${key.id}  ${toIso(key.createdAt)}  ${state(key, nowSeconds)}  ${key.tenant}  ${key.scopes.join(',')}${name}`;
}

function state({ revokedAt, expiresAt }: ApiKey, nowSeconds: number): string {
  if (revokedAt !== undefined) {
    return `${revokedAt <= nowSeconds ? 'revoked' : 'valid until'} ${toIso(revokedAt)}`;
  }
  if (expiresAt !== undefined)
    return `${expiresAt <= nowSeconds ? 'expired' : 'valid until'} ${toIso(expiresAt)}`;
  return 'valid';
}
