import packageJson from '../../../package.json' with { type: 'json' };
import { EVENTS, eventBody } from '../../api/webhooks/events.ts';
import { ALL_OPERATIONS } from '../all-operations.ts';
import { describeApi } from './document.ts';

/** The OpenAPI document. `npm run openapi` writes it to `openapi.json`, which the service serves. */
export function describedApi(): object {
  return describeApi(ALL_OPERATIONS, packageJson.version, DELIVERIES);
}

const DELIVERIES = (Object.keys(EVENTS) as (keyof typeof EVENTS)[]).map((event) => {
  const { id, summary, example } = EVENTS[event];
  return { event, id, summary, body: eventBody(event), example };
});
