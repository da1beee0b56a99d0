import type {
  DiaryChangedEvent,
  FoodChangedEvent,
  ScanCompletedEvent,
  ScanFailedEvent,
  WebhookTestEvent,
} from './generated/types.gen.ts';

/** Older and younger deliveries are rejected, so that nobody can replay a recorded one. */
const TOLERANCE_S = 5 * 60;
const SECRET_PREFIX = 'whsec_';

/** The body of a delivery; `type` determines the type of `data`. */
export type WebhookEvent =
  | ScanCompletedEvent
  | ScanFailedEvent
  | DiaryChangedEvent
  | FoodChangedEvent
  | WebhookTestEvent;

/** The delivery was not signed with this secret, or is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a delivery by the Standard Webhooks specification and returns its content. `body` is the unparsed
 * request body; `secret` is the `whsec_…` of the webhook. Throws a `WebhookError`.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string,
  { nowMs = Date.now() }: { readonly nowMs?: number } = {},
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!/^\d+$/.test(timestamp) || Math.abs(nowMs / 1_000 - Number(timestamp)) > TOLERANCE_S) {
    throw new WebhookError('The delivery is too old, or its time is wrong.');
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const raw = fromBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (!raw?.length) throw new WebhookError('The secret is not in the form whsec_… of a webhook.');
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const entry of signatures.split(' ')) {
    const signature = entry.startsWith('v1,') ? fromBase64(entry.slice(3)) : undefined;
    if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed))) {
      return JSON.parse(text) as WebhookEvent;
    }
  }
  throw new WebhookError('No signature of the delivery matches the secret.');
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  if (typeof value !== 'string') throw new WebhookError(`The delivery has no header ${name}.`);
  return value;
}

/** Undefined if it is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
