import { z } from 'zod';
import { clientNetwork } from '../../limits/client-network.ts';
import { operation } from '../server/operation.ts';
import { OBJECT_PATH, objectParams, type SignedUrlPorts, signedQuery } from './signed-object.ts';

/** Takes the image of a scan, by a signed URL. */
export const putObject = operation({
  method: 'PUT',
  path: OBJECT_PATH,
  id: 'putObject',
  summary: 'Store an object by a signed URL',
  access: 'public',
  counts: 'uncounted',
  served: ({ signedUrlAccess }: SignedUrlPorts) => signedUrlAccess !== undefined,
  params: objectParams,
  query: signedQuery,
  headers: z.object({
    'Content-Type': z.string().optional(),
    'Content-Length': z.string().transform(Number).optional(),
  }),
  body: 'raw',
  answer: { description: 'It is stored. Without a body, as other object stores answer.' },
  handle:
    ({ signedUrlAccess }: SignedUrlPorts) =>
    async ({ params: key, query, headers, address, body }) => {
      await signedUrlAccess!.receive({
        key,
        query,
        client: clientNetwork(address),
        contentType: headers['Content-Type'],
        contentLength: headers['Content-Length'],
        body,
      });
      return {};
    },
});
