import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { Larder } from '#larder-client';
import packageJson from '../../package.json' with { type: 'json' };
import { requireDataFolder } from '../app/data-folder.ts';
import { planUpgrade, type UpgradePlan } from '../app/installation/upgrade-plan.ts';
import { counted } from '../base/texts.ts';
import { frontPageSchema } from '../http/service/front-page.ts';
import { size, toLines } from './terminal/format.ts';
import { serviceAccess } from './terminal/service-access.ts';
import { printResult, type Terminal } from './terminal/terminal.ts';

const TIMEOUT_MS = 5_000;

/** The output of `--json`. */
interface UpgradeCheck extends UpgradePlan {
  /** Version of this program. */
  readonly program: string;
  /** Version of the service that runs here; absent if none answers. */
  readonly running?: string;
}

/** `larder upgrade --check`: reports what a start of this version would do to the data. */
export function upgradeCommand(terminal: Terminal): Command {
  return new Command('upgrade')
    .description(
      'Compare this version of Larder with the service and the data here, before you start it: what the first start would ' +
        'change, and whether to back up. It changes nothing and does not access the internet.',
    )
    .requiredOption('--check', 'required: this command only checks; install versions with git, npm or Docker')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Exit codes: 0 this version can use the data, 1 it cannot.

Examples:
  git pull && npm ci && larder upgrade --check
  larder upgrade --check --json | jq .steps`,
    )
    .action(({ json }: { json?: true }) => check(terminal, json));
}

async function check(terminal: Terminal, json: true | undefined): Promise<void> {
  const { url, config } = await serviceAccess(terminal, {});
  if (config.mode === 'embedded') requireDataFolder(config);
  const running = await runningVersion(url);
  const plan = await planUpgrade(config);
  const result: UpgradeCheck = { program: packageJson.version, ...(running && { running }), ...plan };
  printResult(terminal, json, result, textOf(result, url));
  if (plan.problem !== undefined) throw new OperatorError(plan.problem);
}

/** Undefined without a response, or if another program responds. */
async function runningVersion(url: string): Promise<string | undefined> {
  try {
    const response = await new Larder({ url, maxRetries: 0 }).request('/', {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return frontPageSchema.safeParse(await response.json()).data?.version;
  } catch {
    return undefined;
  }
}

function textOf(
  { program, running, database, catalogue, disk, steps, isBackupAdvised, problem }: UpgradeCheck,
  url: string,
): string {
  const tables = database.is010
    ? 'tables of version 0.1.0'
    : database.schemaVersion === undefined
      ? 'none yet'
      : `tables of version ${database.schemaVersion}`;
  const bytes = database.bytes === undefined ? '' : `, ${size(database.bytes)}`;
  const facts = [
    `this program  ${program}, with tables of version ${database.programVersion}`,
    `running       ${running === undefined ? `nothing answers at ${url}` : `${running} at ${url}`}`,
    `database      ${tables}${bytes}`,
    catalogue === undefined
      ? 'catalogue     none yet'
      : `catalogue     ${catalogue.name}, format ${catalogue.formatVersion} of ${catalogue.programVersion}, ${counted(catalogue.foods, 'food')}`,
  ];
  if (disk !== undefined)
    facts.push(
      `disk          ${size(disk.freeBytes)} free; the first start may take ${size(disk.neededBytes)}`,
    );
  if (problem !== undefined) return toLines(facts);
  if (steps.length === 0) return toLines([...facts, '', 'The first start of this version changes no data.']);
  return toLines([
    ...facts,
    '',
    'The first start of this version will:',
    ...steps.map((step, at) => `  ${at + 1}. ${step}`),
    '',
    ...(disk !== undefined && disk.freeBytes < disk.neededBytes
      ? ['The disk has too little room for that: free some first.', '']
      : []),
    isBackupAdvised
      ? backupAdvice(database.bytes === undefined)
      : 'A backup is not needed: the database stays as it is.',
  ]);
}

function backupAdvice(isCluster: boolean): string {
  const [how, also] = isCluster
    ? [
        '`pg_dump`, or the tools of your PostgreSQL',
        ' Stop all nodes and workers before the first one starts.',
      ]
    : ['`larder backup FILE`', ''];
  return `Back up first (${how}): the version before cannot use the data afterwards.${also}`;
}
