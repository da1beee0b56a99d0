import { CircuitBreaker, GUARD_LIMITS } from '../catalogue/external/circuit-breaker.ts';
import { FdcFoodSearch } from '../catalogue/external/fdc-client.ts';
import { OffProductApi } from '../catalogue/external/off-client.ts';
import type { Config } from '../config/config.ts';

/** The configured services, in the order in which they are asked. */
export function externalSources({ externalApis, offApiUrl, fdcApiUrl, fdcApiKey }: Config): CircuitBreaker[] {
  const open = {
    off: () => new OffProductApi({ base: offApiUrl }),
    fdc: () => new FdcFoodSearch({ base: fdcApiUrl, apiKey: fdcApiKey }),
  };
  return externalApis.map(
    (name) => new CircuitBreaker({ source: open[name](), limits: GUARD_LIMITS, nowMs: Date.now }),
  );
}
