import { randomBytes } from 'node:crypto';
import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { Larder, LarderError } from '#larder-client';
import type { CheckResult } from '../check/check.ts';
import { ALL_CHECKS } from '../check/checks/all-checks.ts';
import { runChecks } from '../check/run-checks.ts';
import { type ServiceAccess, serviceAccess, unreachable } from './terminal/service-access.ts';
import { exitCodeOf, stopRequested } from './terminal/stop-signals.ts';
import { numberOption, print, type Terminal, tell } from './terminal/terminal.ts';

const MARK_BYTES = 8;
const MAX_PATIENCE = 100;
const REACH_MS = 15_000;
const NAME_WIDTH = Math.max(...ALL_CHECKS.map(({ name }) => name.length));
const SIGN = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;

interface Options {
  readonly key?: string;
  readonly json?: true;
  readonly patience: number;
}

/** `larder check`: tests a running service through its API. */
export function checkCommand(terminal: Terminal): Command {
  return new Command('check')
    .description(
      'Test a running service through its API: health, search, text, barcodes, custom foods, diary, recipes, tokens and scans. ' +
        'The test data belongs to a user of its own, and is deleted at the end.',
    )
    .argument(
      '[url]',
      'address of the service, such as https://food.example.org; default: from the settings here',
    )
    .option(
      '--key <key>',
      'API key; default: LARDER_KEY, or without an address the first key of the data folder. Checks that the key does not allow are skipped',
    )
    .option(
      '--json',
      'print a JSON line for each check: {"name", "outcome", "ms"}, and "problem" or "reason"',
    )
    .option(
      '--patience <times>',
      'multiply all time limits by this number, for a service that is far away or busy',
      numberOption('--patience', 1, MAX_PATIENCE),
      1,
    )
    .addHelpText(
      'after',
      `
Exit codes: 0 all checks passed or were skipped, 1 a check failed, 130 stopped by Ctrl-C, which waits for the current check.
A run takes some seconds. The default rate limits allow two runs a minute, so use a key that nobody else uses, with the scopes ${[...new Set(ALL_CHECKS.flatMap(({ scopes = [] }) => scopes))].join(', ')}.

Examples:
  larder check
  larder check https://food.example.org --key lrd_… --json | jq 'select(.outcome == "failed")'`,
    )
    .action((url: string | undefined, options: Options) => check(terminal, url, options));
}

async function check(terminal: Terminal, address: string | undefined, options: Options): Promise<void> {
  const access = await serviceAccess(terminal, { url: address, key: options.key });
  const { url, key, keyName } = access;
  using stop = stopRequested();
  stop.signal.addEventListener('abort', () =>
    tell(
      terminal,
      'larder: stopping after this check. Press Ctrl-C again to stop now; test data is then not deleted.\n',
    ),
  );
  const run = {
    url,
    key,
    keyName,
    mark: randomBytes(MARK_BYTES).toString('hex'),
    checks: ALL_CHECKS,
    patience: options.patience,
    nowMs: () => performance.now(),
    signal: stop.signal,
  };
  await reach(access, AbortSignal.any([stop.signal, AbortSignal.timeout(REACH_MS * options.patience)]));
  const count = { passed: 0, failed: 0, skipped: 0 };
  for await (const result of runChecks(run)) {
    count[result.outcome]++;
    print(terminal, options.json ? `${JSON.stringify(result)}\n` : toLine(result));
  }
  if (!options.json)
    print(terminal, `\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  const made = count.passed + count.failed + count.skipped;
  if (stop.signal.aborted && made < ALL_CHECKS.length) {
    process.exitCode = exitCodeOf(await stop.made);
    return;
  }
  if (made < ALL_CHECKS.length) {
    throw new OperatorError('The other checks need the key, so they were not run.');
  }
  if (count.failed > 0) throw new OperatorError(`${count.failed} of ${ALL_CHECKS.length} checks failed.`);
}

/** Checks the connection, so that an unreachable service causes one message instead of one for each check. */
async function reach({ url, urlSource }: ServiceAccess, signal: AbortSignal): Promise<void> {
  try {
    await new Larder({ url, maxRetries: 0 }).service.health({ signal });
  } catch (error) {
    if (error instanceof LarderError && error.status !== undefined) return;
    if ((error as Error).name === 'AbortError') return;
    throw unreachable(url, urlSource, error instanceof LarderError ? error.cause : error);
  }
}

function toLine(result: CheckResult): string {
  const line = `${SIGN[result.outcome]}  ${result.name.padEnd(NAME_WIDTH)}  ${String(result.ms).padStart(6)} ms`;
  if (result.outcome === 'passed') return `${line}\n`;
  return `${line}  ${result.outcome === 'failed' ? result.problem : result.reason}\n`;
}
