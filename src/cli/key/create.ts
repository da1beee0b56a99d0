import { AppError, OperatorError } from '@larder/core/errors.ts';
import { Command, Option } from 'commander';
import { SCOPES, type Scope } from '../../access/api-key.ts';
import { counted } from '../../base/texts.ts';
import type { OwnLimits } from '../../limits/operations.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { confirmNewTenant } from './new-tenant.ts';
import { parseExpiry, parseLimits, parseName, parseScopes, parseTenant } from './options.ts';
import { printIssued, withKeys } from './session.ts';

interface Options {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  readonly expires?: number;
  readonly name?: string;
  readonly limits?: OwnLimits;
  readonly newTenant?: true;
  readonly beyondQuota?: true;
  readonly json?: true;
}

export function keyCreateCommand(terminal: Terminal): Command {
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
    .action(async ({ tenant, scopes, expires, name, limits, newTenant, beyondQuota, json }: Options) => {
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
    });
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
