import packageJson from '../../../package.json' with { type: 'json' };
import { ALL_OPERATIONS } from '../all-operations.ts';
import { describeApi } from './document.ts';

/** The OpenAPI document. `npm run openapi` writes it to `openapi.json`, which the service serves. */
export function describedApi(): object {
  return describeApi(ALL_OPERATIONS, packageJson.version);
}
