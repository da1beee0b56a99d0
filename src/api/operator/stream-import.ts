import type { EventStreams } from '../event-streams.ts';
import { operation } from '../operation.ts';
import {
  EXAMPLE_JOB,
  type ImportPorts,
  importJobSchema,
  importObject,
  importParams,
} from './import-job-json.ts';
import { OPERATOR_TAG, operatorAccess } from './operator-parts.ts';

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
  handle: async ({ params, requestId }, ports: ImportPorts & { readonly streams: EventStreams }) => {
    const imports = await ports.catalogueImports();
    await imports.get(params.importId);
    return ports.streams.reply({
      about: { requestId, import: params.importId },
      async *follow(signal) {
        let id = 0;
        for await (const job of imports.watch(params.importId, signal))
          yield { id: ++id, data: JSON.stringify(importObject(job)) };
      },
    });
  },
});
