import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseBasePath } from '../base/base-path.ts';

/**
 * Schemas for the texts of settings. Each error states what is allowed and never repeats the value, which may be
 * secret.
 */

export const MAX_PORT = 65_535;
const MAX_API_THREADS = 64;
export const MAX_DEFAULT_API_THREADS = 8;
export const MAX_SCAN_WORKERS = 64;

const list = z.string().transform((text) => (text === '' ? [] : text.split(',').map((part) => part.trim())));

export const anyText = z.string();
export const nonEmpty = z.string().min(1, 'must not be empty');
/** Resolves to an absolute path. */
export const folder = nonEmpty.transform((path) => resolve(path));

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error));
}

export const port = wholeNumber(0, MAX_PORT);
export const threadCount = orAuto(wholeNumber(1, MAX_API_THREADS), () =>
  Math.min(availableParallelism(), MAX_DEFAULT_API_THREADS),
);
/** Number of processes that analyse images; 0 leaves that to `larder worker`. */
export const scanWorkerCount = orAuto(wholeNumber(0, MAX_SCAN_WORKERS), () =>
  availableParallelism() > 2 ? 2 : 1,
);

export function oneOf<const T extends readonly string[]>(choices: T) {
  return z.enum(choices, `must be one of ${choices.join(', ')}`);
}

export function listOf<const T extends readonly string[]>(choices: T) {
  const error = `must be a list out of ${choices.join(', ')}, separated by commas, each once`;
  return list
    .pipe(z.array(z.enum(choices, error)))
    .refine((names) => new Set(names).size === names.length, error);
}

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;
/** Returns the address without a slash at its end. */
export const baseUrl = z.string().transform((text, context) => {
  const url = /^https?:$/.test(protocolOf(text)) ? new URL(text) : undefined;
  const path = url && parseBasePath(url.pathname);
  if (url !== undefined && path !== undefined && url.href === url.origin + url.pathname)
    return url.origin + path;
  context.addIssue('must be an address such as https://food.example.org or https://home.example.org/larder');
  return z.NEVER;
});
export const origins = listWhere(
  (text) => text === '*' || isOrigin(text),
  'must be origins such as https://app.example.org, separated by commas, or *',
);
export const networks = listWhere(
  isNetwork,
  'must be addresses or networks such as 10.0.0.0/8, separated by commas',
);

export const webAddress = z
  .string()
  .refine((text) => /^https?:$/.test(protocolOf(text)), 'must be an http or https address');

/** An issuer uses https, since plain http would let attackers replace its keys; localhost is exempt. */
export const issuer = z.string().refine((text) => {
  if (protocolOf(text) !== 'http:') return protocolOf(text) === 'https:';
  return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(text).hostname);
}, 'must be an https address');

/** The address of a server that speaks one of these protocols, such as `redis:`. */
export function serverAddress(...protocols: readonly string[]) {
  const expected = protocols.map((one) => `${one}//`).join(' or ');
  return z.string().refine((text) => {
    // URLs of PostgreSQL may omit the host if `?host=` names a socket.
    const whole = text.replace(/^(\w+:\/\/(?:[^/@]*@)?)\//, '$1localhost/');
    return protocols.includes(protocolOf(whole));
  }, `must be an address that begins with ${expected}`);
}

/** The names that S3 allows. */
export const bucketName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
  );

/** A folder, or a bucket of an S3-compatible store, with a prefix of the keys. */
export type BackupPlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 's3'; readonly endpoint: string; readonly bucket: string; readonly prefix: string };
export const backupPlace = nonEmpty.transform((text, context): BackupPlace => {
  if (!/^\w+:/.test(text)) return { kind: 'folder', folder: resolve(text) };
  const url = /^https?:$/.test(protocolOf(text)) ? new URL(text) : undefined;
  const [bucket, ...prefix] = url?.pathname.split('/').filter((part) => part !== '') ?? [];
  if (url !== undefined && url.href === url.origin + url.pathname && bucketName.safeParse(bucket).success)
    return {
      kind: 's3',
      endpoint: url.origin,
      bucket: bucket!,
      prefix: prefix.map((part) => `${part}/`).join(''),
    };
  context.addIssue('must be a folder, or an address such as https://s3.example.org/bucket');
  return z.NEVER;
});

/** The length prevents guessing. */
export const sharedSecret = z
  .string()
  .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 printable ASCII characters without spaces');

/** The shipped model, none, a folder with a model, or a model from Hugging Face. */
type DishModel = 'shipped' | 'none' | { readonly dir: string } | { readonly hubId: string };
export const dishModel = z
  .string()
  .refine(
    (text) => !text.startsWith('hub:') || /^hub:[\w.-]+\/[\w.-]+$/.test(text),
    'must name a model of the hub as hub:OWNER/NAME',
  )
  .transform((text): DishModel => {
    if (text === 'shipped' || text === 'none') return text;
    return text.startsWith('hub:') ? { hubId: text.slice('hub:'.length) } : { dir: resolve(text) };
  });

/** USD for a million tokens of input and of output. */
export const tokenPrices = z
  .string()
  .transform((text) => text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part))))
  .refine(
    (prices) => prices.length === 2 && prices.every((price) => price >= 0),
    'must be two prices such as 2.50,10',
  )
  .transform(([input, output]) => ({ input: input!, output: output! }));

function listWhere(isAllowed: (text: string) => boolean, error: string) {
  return list.refine((parts) => parts.every(isAllowed), error);
}

function orAuto(schema: z.ZodType<number, string>, automatic: () => number) {
  return z.string().transform((text, context) => {
    if (text === 'auto') return automatic();
    const read = schema.safeParse(text);
    if (read.success) return read.data;
    context.addIssue(read.error.issues[0]!.message);
    return z.NEVER;
  });
}

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : '';
}

function isNetwork(text: string): boolean {
  const [address, bits = '0', ...rest] = text.split('/');
  const maxBits = isIP(address!) === 6 ? 128 : 32;
  return isIP(address!) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits;
}
