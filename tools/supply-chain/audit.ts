/**
 * Asks the registry for known vulnerabilities of all packages in the lock file. Exits with 1 if there is one.
 * If the registry does not answer, prints that and exits with 0, or with 1 under `--required`.
 *
 *     npm run audit-packages -- [--required]
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { readAudit } from './audit-outcome.ts';

/** npm retries after failures; a missing registry must not delay a complete check. */
const TIMEOUT_MS = 60_000;
const ASK = ['audit', '--json', '--audit-level=low', '--package-lock-only', '--fetch-retries=1'];

const { values } = parseArgs({ options: { required: { type: 'boolean', default: false } } });
const { stdout } = spawnSync('npm', ASK, {
  encoding: 'utf8',
  timeout: TIMEOUT_MS,
  stdio: ['ignore', 'pipe', 'ignore'],
});
const outcome = readAudit(stdout ?? '');
if (outcome.kind === 'clean') {
  console.log('The registry knows of no vulnerability in any package.');
} else if (outcome.kind === 'found') {
  console.error(
    `Vulnerable packages:\n${outcome.found.map((line) => `  ${line}\n`).join('')}"npm audit" says more.`,
  );
  process.exitCode = 1;
} else {
  console.error(`KNOWN VULNERABILITIES WERE NOT CHECKED: the registry does not answer (${outcome.reason}).`);
  process.exitCode = values.required ? 1 : 0;
}
