import type { GetReadinessData, Health, Readiness } from './generated/types.gen.ts';
import type { CallOptions } from './http/options.ts';
import { queryOf } from './http/path.ts';
import type { Transport } from './http/transport.ts';

export type ReadinessQuery = NonNullable<GetReadinessData['query']>;

/** The service itself. */
export class Service {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  health(options?: CallOptions): Promise<Health> {
    return this.#transport.json({ path: '/healthz', as: 'nobody', options });
  }

  /** Whether the service answers requests, else `unavailable` with the reason. */
  readiness(query: ReadinessQuery = {}, options?: CallOptions): Promise<Readiness> {
    return this.#transport.json({ path: `/readyz${queryOf(query)}`, as: 'nobody', options });
  }

  /** Figures in the text format of Prometheus; needs the scope `metrics`. */
  metrics(options?: CallOptions): Promise<string> {
    return this.#transport.send({ path: '/metrics', options }, (response) => response.text());
  }
}
