import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookTarget } from './webhook.ts';

// Standard Webhooks 1.0: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

const PREFIX = 'whsec_';
/** The specification requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

export function createSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The headers that prove the sender of a body: a signature by each valid secret. */
export function signedHeaders(
  { secret, previous }: { readonly secret: string } & Pick<WebhookTarget, 'previous'>,
  { id, nowMs, body }: { readonly id: string; readonly nowMs: number; readonly body: string },
): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1000);
  const valid = previous.filter(({ untilMs }) => nowMs < untilMs);
  const secrets = [secret, ...valid.map((each) => each.secret)];
  const signature = secrets.map((one) => {
    const key = Buffer.from(one.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature.join(' '),
  };
}
