import { operation } from '../server/operation.ts';
import { OBJECT_PATH, objectParams, type SignedUrlPorts, signedQuery } from './signed-object.ts';

/** Gives the full analysis of a scan, by a signed URL. */
export const getObject = operation({
  method: 'GET',
  path: OBJECT_PATH,
  id: 'getObject',
  summary: 'Read an object by a signed URL',
  access: 'public',
  counts: 'uncounted',
  served: ({ signedUrlAccess }: SignedUrlPorts) => signedUrlAccess !== undefined,
  params: objectParams,
  query: signedQuery,
  answer: { description: 'The bytes, with the type that they were stored with.' },
  handle:
    ({ signedUrlAccess }: SignedUrlPorts) =>
    async ({ params: key, query }) => {
      const { body, contentType, sizeBytes } = await signedUrlAccess!.read({ key, query });
      return { headers: { 'content-type': contentType, 'content-length': sizeBytes }, body };
    },
});
