import type { IncomingMessage } from 'node:http';
import type { Stopping } from '../base/leased-jobs.ts';
import { parseRetryAfter } from '../outgoing/bounded-response.ts';
import { httpRequest, isSuccess } from '../outgoing/http-request.ts';
import type { OutgoingAddresses } from '../outgoing/outgoing-addresses.ts';
import type { DeliveryObserver } from './delivery-observer.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { retryPauseMs } from './retry-schedule.ts';
import { signedHeaders } from './signature.ts';
import { type ClaimedDelivery, TEST_EVENT, type WebhookTarget } from './webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Time limit for the connection, the response and reading its body. */
const TIMEOUT_MS = 15_000;
/** Maximum length of a delivery's body. */
export const MAX_BODY_BYTES = 20_000;
/** Maximum length of a response that is read and stored. */
const MAX_RESPONSE_BYTES = 500;
const GONE = 410;
const USER_AGENT = 'Larder/0.1 (webhooks)';

/**
 * Makes the `data` of a delivery, in forms from complete to short; the first one that fits is sent. Undefined
 * if the subject does not exist any more.
 */
export type EventData = (
  delivery: ClaimedDelivery,
  target: WebhookTarget,
) => Promise<readonly object[] | undefined>;

export interface DeliveryAttemptOptions {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly eventData: EventData;
  readonly addresses: OutgoingAddresses;
  readonly observer: DeliveryObserver;
  readonly nowMs: () => number;
}

interface Answer {
  readonly status?: number;
  readonly text: string;
  readonly askedMs?: number | undefined;
}

/**
 * One attempt at a claimed delivery.
 *
 *     make the body ─┬─▶ sign, send ─┬─▶ 2xx: done
 *                    │               ├─▶ 410: done, the webhook is disabled
 *                    │               └─▶ any other: again after a pause, up to the last attempt
 *                    └─▶ the subject does not exist any more: removed
 *
 * Without its claim the attempt changes nothing: the store rejects an older fencing token. A lost lease
 * causes a second delivery.
 */
export async function attemptDelivery(
  claimed: ClaimedDelivery,
  target: WebhookTarget,
  { stopped }: Stopping,
  options: DeliveryAttemptOptions,
): Promise<boolean> {
  const { deliveries, eventData, observer, nowMs } = options;
  const forms = claimed.event === TEST_EVENT ? [{}] : await eventData(claimed, target);
  if (forms === undefined) {
    await deliveries.drop(claimed);
    return true;
  }
  const startedAtMs = nowMs();
  const leaving = new AbortController();
  void stopped.then(() => leaving.abort());
  const answer = await Promise.race([send(claimed, target, forms, leaving.signal, options), stopped]);
  // The delivery was returned to the queue.
  if (answer === undefined) return true;
  const atMs = nowMs();
  const { status, text, askedMs } = answer;
  const succeeded = status !== undefined && status >= 200 && status <= 299;
  const pauseMs = succeeded || status === GONE ? undefined : retryPauseMs(claimed.attempts, { askedMs });
  const isHeld = await deliveries.settle(claimed, {
    succeeded,
    atMs,
    dueAtMs: pauseMs === undefined ? undefined : atMs + pauseMs,
    responseStatus: status,
    response: text,
  });
  const outcome = succeeded ? 'succeeded' : pauseMs === undefined ? 'failed' : 'postponed';
  observer.attempted(claimed, {
    outcome,
    ms: atMs - startedAtMs,
    delayMs: atMs - claimed.createdAtMs,
    status,
  });
  if (isHeld && !succeeded) await disableIfBroken(claimed, status, options);
  return succeeded;
}

async function disableIfBroken(
  { webhookId, event }: ClaimedDelivery,
  status: number | undefined,
  { webhooks, observer, nowMs }: DeliveryAttemptOptions,
): Promise<void> {
  if (status === GONE) {
    if (await webhooks.disable(webhookId, 'gone', nowMs())) observer.disabled(webhookId, 'gone');
    // A test does not show for how long real events have failed.
  } else if (event !== TEST_EVENT && (await webhooks.failed(webhookId, nowMs())))
    observer.disabled(webhookId, 'failing');
}

async function send(
  { id, event, createdAtMs }: ClaimedDelivery,
  target: WebhookTarget,
  forms: readonly object[],
  leaving: AbortSignal,
  { addresses, nowMs }: DeliveryAttemptOptions,
): Promise<Answer> {
  const { secret, previous } = target;
  if (secret === undefined)
    return { text: 'not sent: the secret of this webhook cannot be read any more; rotate it' };
  const timestamp = new Date(createdAtMs).toISOString();
  const bodies = forms.map((data) => JSON.stringify({ type: event, timestamp, data }));
  const body = bodies.find((text) => Buffer.byteLength(text) < MAX_BODY_BYTES) ?? bodies.at(-1)!;
  const url = new URL(target.url);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    addresses.requireHost(url);
    const response = await httpRequest({
      url,
      method: 'POST',
      headers: {
        'user-agent': USER_AGENT,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        ...signedHeaders({ secret, previous }, { id, nowMs: nowMs(), body }),
      },
      body,
      // A kept connection could be one that another feature opened to an address that webhooks may not reach.
      keepsConnection: false,
      lookup: addresses.lookup,
      signal: AbortSignal.any([timeout, leaving]),
    });
    const status = response.statusCode!;
    const askedMs = isSuccess(response) ? undefined : parseRetryAfter(response.headers['retry-after']);
    return { status, text: await beginningOf(response), askedMs };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return {
      text: timeout.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : message || code || String(error),
    };
  }
}

/** The rest of the response is not read. An interrupted response has arrived nevertheless. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of response) {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length >= MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The part that was read is kept.
  } finally {
    response.destroy();
  }
  // PostgreSQL stores no NUL.
  return bytes.subarray(0, MAX_RESPONSE_BYTES).toString('utf8').replaceAll('\0', '');
}
