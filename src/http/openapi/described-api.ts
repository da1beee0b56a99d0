import packageJson from '../../../package.json' with { type: 'json' };
import { isCallerAccess, type OperationDeclaration } from '../../api/operation.ts';
import { EVENTS, eventBody } from '../../api/webhooks/events.ts';
import { ALL_OPERATIONS } from '../all-operations.ts';
import { describeApi } from './document.ts';
import type { ApiVariant } from './document-files.ts';

/** The OpenAPI document of a variant. `npm run openapi` writes it to the file that the service serves. */
export function describedApi(variant: ApiVariant = 'versioned'): object {
  const isUnversioned = variant === 'unversioned';
  return describeApi({
    variant,
    version: packageJson.version,
    operations: ALL_OPERATIONS.filter(
      (each: OperationDeclaration) =>
        isUnversioned === (isCallerAccess(each.access) && each.access.credential === 'x-api-key'),
    ),
    deliveries: isUnversioned ? [] : DELIVERIES,
  });
}

const DELIVERIES = (Object.keys(EVENTS) as (keyof typeof EVENTS)[]).map((event) => {
  const { id, summary, example } = EVENTS[event];
  return { event, id, summary, body: eventBody(event), example };
});
