import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

/**
 * What a setting's text means. Each throws a plain Error that says what a good value looks like, and never repeats the
 * value, which may be secret.
 */

export const MAX_PORT = 65_535;
const MAX_API_THREADS = 64;
export const MAX_DEFAULT_API_THREADS = 8;
export const MAX_SCAN_WORKERS = 64;
export const MAX_UPLOADS = 1_024;

export function nonEmpty(text: string): string {
  if (text === '') throw new Error('must not be empty');
  return text;
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

/** Undefined where the text is empty. */
export function optionalPort(text: string): number | undefined {
  return text === '' ? undefined : wholeNumber(0, MAX_PORT)(text);
}

export function threadCount(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MAX_DEFAULT_API_THREADS);
  return wholeNumber(1, MAX_API_THREADS)(text);
}

/** Of the threads that analyse images; 0 leaves that to other processes. */
export function scanWorkerCount(text: string): number {
  if (text === 'auto') return availableParallelism() > 2 ? 2 : 1;
  return wholeNumber(0, MAX_SCAN_WORKERS)(text);
}

export function oneOf<const T extends readonly string[]>(choices: T): (text: string) => T[number] {
  return (text) => {
    if (!choices.includes(text)) throw new Error(`must be one of ${choices.join(', ')}`);
    return text;
  };
}

export function origin(text: string): string {
  if (text === '' || isOrigin(text)) return text;
  throw new Error('must be an origin such as https://food.example.org, without a path');
}

/** Where dishes are told apart: by the model that ships, by that of a folder or of the hub, or not at all. */
export type DishModel = 'shipped' | 'none' | { readonly dir: string } | { readonly hubId: string };

export function dishModel(text: string): DishModel {
  if (text === 'shipped' || text === 'none') return text;
  if (!text.startsWith('hub:')) return { dir: resolve(text) };
  const hubId = text.slice('hub:'.length);
  if (/^[\w.-]+\/[\w.-]+$/.test(hubId)) return { hubId };
  throw new Error('must name a model of the hub as hub:OWNER/NAME');
}

/** USD for a million tokens of input, and of output. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

export function tokenPrices(text: string): TokenPrices | undefined {
  if (text === '') return undefined;
  const [input, output, ...rest] = text
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (rest.length === 0 && input! >= 0 && output! >= 0) return { input: input!, output: output! };
  throw new Error('must be two prices such as 2.50,10');
}

export function optionalWebAddress(text: string): string {
  return text === '' ? text : webAddress(text);
}

export function origins(text: string): readonly string[] {
  const given = list(text);
  for (const origin of given) {
    if (origin !== '*' && !isOrigin(origin)) {
      throw new Error('must be origins such as https://app.example.org, separated by commas, or *');
    }
  }
  return given;
}

/** An issuer has to use https, since keys that come over plain http could be anybody's; only localhost need not. */
export function issuer(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal =
    address?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(address.hostname);
  if (text === '' || address?.protocol === 'https:' || isLocal) return text;
  throw new Error('must be an https address');
}

export function networks(text: string): readonly string[] {
  const given = list(text);
  for (const network of given) {
    const [address, bits = '0', ...rest] = network.split('/');
    const maxBits = isIP(address!) === 6 ? 128 : 32;
    if (isIP(address!) === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > maxBits) {
      throw new Error('must be addresses or networks such as 10.0.0.0/8, separated by commas');
    }
  }
  return given;
}

function list(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

export function listOf<const T extends readonly string[]>(
  choices: T,
): (text: string) => readonly T[number][] {
  return (text) => {
    const names = list(text);
    if (names.some((name) => !choices.includes(name)) || new Set(names).size < names.length) {
      throw new Error(`must be a list out of ${choices.join(', ')}, separated by commas, each once`);
    }
    return names;
  };
}

export function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Error('must be an http or https address');
  }
  return text;
}

/** Empty, or the address of a server that speaks one of these, such as `redis:`. */
export function serverAddress(...protocols: readonly string[]): (text: string) => string {
  return (text) => {
    // PostgreSQL's own addresses may leave the host out, for a socket that `?host=` names.
    const whole = text.replace(/^(\w+:\/\/(?:[^/@]*@)?)\//, '$1localhost/');
    if (text === '' || (URL.canParse(whole) && protocols.includes(new URL(whole).protocol))) return text;
    throw new Error(`must be an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`);
  };
}

/** Empty, or what S3 allows a bucket to be called. */
export function bucketName(text: string): string {
  if (text === '' || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return text;
  throw new Error('must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens');
}

/** Empty, or long enough not to be guessed by asking. */
export function sharedSecret(text: string): string {
  if (text === '' || /^[\x21-\x7e]{16,200}$/.test(text)) return text;
  throw new Error('must be 16 to 200 printable ASCII characters without spaces');
}

export function anyText(text: string): string {
  return text;
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
