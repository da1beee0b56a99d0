import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { OperatorError } from '@larder/core/errors.ts';
import { readError } from '../files/file-errors.ts';
import { SERVICE } from './settings.ts';

export const SETTINGS_FILE = 'larder.env';
const MAX_BYTES = 64 * 1024;

/** Settings that `larder.env` of a data folder may contain. */
export interface SettingsFile {
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Reads `larder.env`: a line `NAME=value` for each setting, comments on separate lines, quotes around values
 * with `#`. Returns undefined if there is no such file. Throws an `OperatorError` that names every line with
 * a mistake.
 */
export function readSettingsFile(dataDir: string): SettingsFile | undefined {
  const path = join(dataDir, SETTINGS_FILE);
  const text = readText(path);
  if (text === undefined) return undefined;
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [name] = Object.keys(parseEnv(trimmed));
    const problem = problemOf(trimmed, name, values);
    if (problem === undefined) Object.assign(values, parseEnv(trimmed));
    else problems.push(`line ${index + 1}: ${problem}`);
  }
  if (problems.length === 0) return { path, values };
  throw new OperatorError(`${path} has a mistake:\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

/** Values may be secret, so no error repeats one. */
function problemOf(line: string, name: string | undefined, values: object): string | undefined {
  if (name === undefined) return 'is not a setting such as LARDER_PORT=9000';
  if (name === 'LARDER_DATA_DIR')
    return `${name} belongs in the environment: this file is in the data folder`;
  if (!name.startsWith('LARDER_')) return `${name} is not a setting; see docs/configuration.md`;
  if (name in values) return `${name} is set a second time`;
  const value = line.slice(line.indexOf('=') + 1).trim();
  const isQuoted = /^(["'`]).*\1$/.test(value);
  return value.includes('#') && !isQuoted
    ? `the value of ${name} contains #: put it in quotes; comments need lines of their own`
    : undefined;
}

function readText(path: string): string | undefined {
  try {
    // Reading a FIFO would wait for a writer.
    if (!statSync(path).isFile()) throw new OperatorError(`${path} is not a regular file.`);
    const bytes = readFileSync(path);
    if (bytes.length <= MAX_BYTES) return bytes.toString('utf8');
    throw new OperatorError(
      `${path} is longer than ${MAX_BYTES / 1024} KiB, so it is not a list of settings.`,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw readError(path, error);
  }
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
}

/** Hosts that open a service to the network. A copied data folder must not do that on another machine. */
export const ALL_ADDRESSES: readonly string[] = ['0.0.0.0', '::'];

/** The text of a new `larder.env`: the service's address, so that commands find it. */
export function newSettingsFile({ host, port, publicUrl }: Address): string {
  const lines = [
    '# Settings of Larder for this data folder, one NAME=value a line (docs/configuration.md).',
    '# The service and all commands read them; the environment wins.',
    ...(port === 0 ? [] : [`LARDER_PORT=${port}`]),
    ...([SERVICE.host.fallback, ...ALL_ADDRESSES].includes(host) ? [] : [`LARDER_HOST=${host}`]),
    ...(publicUrl === undefined ? [] : [`LARDER_PUBLIC_URL=${publicUrl}`]),
  ];
  return `${lines.join('\n')}\n`;
}
