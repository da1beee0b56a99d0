import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { findScanPackages } from './scan-packages.ts';

const PACKAGE = new URL('../../../package.json', import.meta.url);

/**
 * Returns a function that says why no process can be started from the files of this installation any more: packages that it had at
 * the start are missing, since `npm ci` runs, or another version was installed beside the running one.
 */
export function watchInstallation(
  config: Pick<Config, 'dishModel'>,
  { missing = () => findScanPackages(config).missing, version = versionOnDisk } = {},
): () => string | undefined {
  const before = { missing: missing(), version: version() };
  return () => {
    const gone = missing().filter((name) => !before.missing.includes(name));
    if (gone.length > 0)
      return `npm packages are missing (${gone.join(', ')}): if no \`npm ci\` is running, run it; photos wait until then`;
    const now = version();
    if (now === undefined)
      return 'package.json is missing while the installation changes; photos wait until then';
    return now === before.version
      ? undefined
      : `version ${now} was installed while ${before.version} runs: restart the service; photos wait until then`;
  };
}

/** Undefined while the file is being replaced. */
function versionOnDisk(): string | undefined {
  try {
    return JSON.parse(readFileSync(PACKAGE, 'utf8')).version;
  } catch {
    return undefined;
  }
}
