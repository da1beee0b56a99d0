import { AppError } from '@larder/core/errors.ts';
import type { Caller } from '../../../access/api-key.ts';
import type { OperatorKeys } from '../../../access/operator-keys.ts';
import type { Sessions } from '../../../people/sessions.ts';
import type { EventStreams } from '../../event-streams.ts';
import { operation } from '../../operation.ts';
import { requireOwner } from '../../people/person-json.ts';
import { OPERATOR_TAG, operatorAccess } from '../operator-parts.ts';
import {
  EXAMPLE_JOB,
  type ImportPorts,
  importJobSchema,
  importObject,
  importParams,
} from './import-job-json.ts';

interface Ports extends ImportPorts {
  readonly streams: EventStreams;
  readonly sessions: Sessions;
  readonly operatorKeys: OperatorKeys;
  readonly nowMs: () => number;
}

export const streamImport = operation({
  method: 'GET',
  path: '/v1/operator/imports/:importId/stream',
  id: 'streamImport',
  tag: OPERATOR_TAG,
  summary: 'Follow an import until it ends',
  access: operatorAccess,
  counts: 'stream',
  params: importParams,
  answer: {
    description:
      'Server-Sent Events: `data:` lines with the import, now and at each change. Then the service closes.',
    contentType: 'text/event-stream',
    schema: importJobSchema,
    example: EXAMPLE_JOB,
  },
  errors: ['not_found'],
  handle: async ({ caller, params, requestId }, ports: Ports) => {
    const imports = await ports.catalogueImports();
    await imports.get(params.importId);
    return ports.streams.reply({
      about: { requestId, import: params.importId },
      async *follow(signal) {
        let id = 0;
        for await (const job of imports.watch(params.importId, signal)) {
          if (!(await isStillOperator(caller, ports))) return;
          yield { id: ++id, data: JSON.stringify(importObject(job)) };
        }
      },
    });
  },
});

/** Checks the session or key again, which may have ended while the import ran. */
async function isStillOperator(caller: Caller, { sessions, operatorKeys, nowMs }: Ports): Promise<boolean> {
  try {
    if (caller.session !== undefined) {
      await requireOwner(caller, sessions);
      return true;
    }
    const { revokedAt = Infinity, expiresAt = Infinity } = await operatorKeys.get(caller.key.id);
    return Math.min(revokedAt, expiresAt) > nowMs() / 1000;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
