import { AppError, OperatorError } from '@larder/core/errors.ts';
import { Command, Option } from 'commander';
import { SCOPES, type Scope } from '../../access/api-key.ts';
import { counted } from '../../base/texts.ts';
import type { OwnLimits } from '../../limits/operations.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { parseExpiry, parseLimits, parseName, parseScopes, parseTenant } from './options.ts';
import { printIssued, withKeys } from './session.ts';

interface Options {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  readonly expires?: number;
  readonly name?: string;
  readonly limits?: OwnLimits;
  readonly beyondQuota?: true;
  readonly json?: true;
}

export function keyCreateCommand(terminal: Terminal): Command {
  return new Command('create')
    .description('Create an API key and show it, this once.')
    .addOption(
      required('--tenant <name>', 'whose foods, scans and diaries it reaches').argParser(parseTenant),
    )
    .addOption(required('--scopes <list>', `what it may do: ${SCOPES.join(',')}`).argParser(parseScopes))
    .addOption(
      new Option(
        '--expires <when>',
        'a date, a time, or a length of time from now; without it, never',
      ).argParser((text) => parseExpiry(text, Date.now())),
    )
    .addOption(new Option('--name <text>', 'what you call it').argParser(parseName))
    .addOption(
      new Option('--limits <list>', 'own limits, requests a minute by operation').argParser(parseLimits),
    )
    .option('--beyond-quota', 'even where the tenant has LARDER_KEYS_PER_TENANT live keys already')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  larder key create --tenant acme --scopes foods:read,scan
  larder key create --tenant acme --scopes foods:read --expires 30d --name "CI" --json
  larder key create --tenant acme --scopes foods:read --limits search=1000,barcode=2000`,
    )
    .action(async ({ tenant, scopes, expires, name, limits, beyondQuota, json }: Options) => {
      await withKeys(terminal, async ({ issuer, keysPerTenant }) => {
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
      `Tenant ${tenant} has ${counted(maxKeys, 'live key')}, as many as LARDER_KEYS_PER_TENANT allows; revoke some, or say --beyond-quota.`,
      { cause },
    );
  };
}

function required(flags: string, description: string): Option {
  return new Option(flags, description).makeOptionMandatory();
}
