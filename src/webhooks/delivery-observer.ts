import type { ClaimedDelivery, DisabledReason } from './webhook.ts';

export type AttemptOutcome = 'succeeded' | 'postponed' | 'failed';

export interface AttemptedDelivery {
  readonly outcome: AttemptOutcome;
  /** Duration of the attempt. */
  readonly ms: number;
  /** Time since the event. */
  readonly delayMs: number;
  /** HTTP status of the response, if there was one. */
  readonly status: number | undefined;
}

/** Receives the events of deliveries for logs and metrics. Methods do not throw. */
export interface DeliveryObserver {
  attempted(delivery: ClaimedDelivery, attempted: AttemptedDelivery): void;
  disabled(webhookId: string, reason: DisabledReason): void;
  /** Something failed that is not the receiver's fault. */
  broken(doing: string, error: unknown, id?: string): void;
}
