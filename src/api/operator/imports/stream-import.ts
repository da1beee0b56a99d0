import type { EventStreams } from '../../event-streams.ts';
import { operation } from '../../operation.ts';
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
  errors: ['import_not_found'],
  handle: async (request, ports: Ports) => {
    const { importId } = request.params;
    const imports = await ports.catalogueImports();
    await imports.get(importId);
    return ports.streams.reply({
      about: { requestId: request.requestId, import: importId },
      recheck: () => request.recheck(),
      async *follow(signal) {
        let id = 0;
        for await (const job of imports.watch(importId, signal)) {
          yield { id: ++id, data: JSON.stringify(importObject(job)) };
        }
      },
    });
  },
});
