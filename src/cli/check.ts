import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { ALL_CHECKS } from '../check/all-checks.ts';
import type { CheckResult } from '../check/check.ts';
import { runChecks } from '../check/run-checks.ts';
import { OperatorError } from '../errors.ts';
import { exitCodeOf, stopRequested } from './terminal/stop-signals.ts';
import { numberOption, type Terminal } from './terminal/terminal.ts';

const MARK_BYTES = 8;
const MAX_PATIENCE = 100;
const NAME_WIDTH = Math.max(...ALL_CHECKS.map(({ name }) => name.length));
const SIGN = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;

interface Options {
  readonly key?: string;
  readonly json?: true;
  readonly patience: number;
}

/** `larder check`: tests a running service from outside. */
export function checkCommand(terminal: Terminal): Command {
  return new Command('check')
    .description(
      'Try a running service from outside, as its clients do: health, search, barcodes, own foods, the diary, tokens ' +
        'and scans. It writes under a user and names of its own and removes all of it in the end.',
    )
    .argument('<url>', 'where the service is, such as https://food.example.org')
    .option('--key <key>', 'an API key, else LARDER_KEY; checks that it does not allow are skipped')
    .option(
      '--json',
      'print a JSON line for each check: {"name", "outcome", "ms"}, and "problem" or "reason"',
    )
    .option(
      '--patience <times>',
      'allow so many times as long for everything, where the service is far away or busy',
      numberOption('--patience', 1, MAX_PATIENCE),
      1,
    )
    .addHelpText(
      'after',
      `
Ends with 1 when a check fails; Ctrl-C ends it after the check under way, with 130. All together take some seconds, and so
many requests that the usual limits allow two runs a minute: give a key that nobody else uses, with the scopes ${[...new Set(ALL_CHECKS.flatMap(({ scopes = [] }) => scopes))].join(', ')}.

Examples:
  LARDER_KEY=$(cat data/first-key.txt) larder check http://127.0.0.1:8080
  larder check https://food.example.org --key lrd_… --json | jq 'select(.outcome == "failed")'`,
    )
    .action((url: string, options: Options) => check(terminal, parseUrl(url), options));
}

async function check({ env, out, err }: Terminal, url: string, options: Options): Promise<void> {
  using stop = stopRequested();
  stop.signal.addEventListener('abort', () =>
    err.write('larder: stopping after this check. Another Ctrl-C ends it now, and what it made stays.\n'),
  );
  const run = {
    url,
    key: options.key ?? (env['LARDER_KEY']?.trim() || undefined),
    mark: randomBytes(MARK_BYTES).toString('hex'),
    checks: ALL_CHECKS,
    patience: options.patience,
    nowMs: () => performance.now(),
    signal: stop.signal,
  };
  const count = { passed: 0, failed: 0, skipped: 0 };
  for await (const result of runChecks(run)) {
    count[result.outcome]++;
    out.write(options.json ? `${JSON.stringify(result)}\n` : toLine(result));
  }
  if (!options.json)
    out.write(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  if (count.passed + count.failed + count.skipped < ALL_CHECKS.length) {
    process.exitCode = exitCodeOf(await stop.made);
    return;
  }
  if (count.failed > 0) throw new OperatorError(`${count.failed} of ${ALL_CHECKS.length} checks failed.`);
}

function toLine(result: CheckResult): string {
  const line = `${SIGN[result.outcome]}  ${result.name.padEnd(NAME_WIDTH)}  ${String(result.ms).padStart(6)} ms`;
  if (result.outcome === 'passed') return `${line}\n`;
  return `${line}  ${result.outcome === 'failed' ? result.problem : result.reason}\n`;
}

/** Removes a slash at the end. */
function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/$/, '');
  }
  throw new OperatorError(`${JSON.stringify(text)} is no address such as https://food.example.org.`);
}
