import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const APT = '/usr/bin/apt-get';
const INSTALL_TIMEOUT_MS = 240_000;

/** Installs Debian packages if possible; otherwise returns the reason. */
export function installDebianPackages(packages: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can install it';
  if (!existsSync(APT)) return 'only Debian packages it as is needed here';
  const apt = (...words: string[]) =>
    execFileSync(APT, words, {
      stdio: 'pipe',
      timeout: INSTALL_TIMEOUT_MS,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  try {
    apt('update', '-q');
    apt('install', '-q', '-y', '--no-install-recommends', ...packages);
  } catch (error) {
    return `its packages could not be installed (${(error as Error).message.split('\n', 1)})`;
  }
  return undefined;
}
