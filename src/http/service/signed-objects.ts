import { z } from 'zod';
import { operation } from '../../api/operation.ts';
import { OBJECTS_PATH } from '../../blobs/signed-url.ts';
import type { SignedUrlAccess } from '../../blobs/signed-url-access.ts';
import { clientNetwork } from '../../limits/client-network.ts';

/**
 * Serves the signed URLs of this service. They are not part of the API: clients use them as given, and other object
 * stores have other URLs.
 */
const OBJECT_PATH = `${OBJECTS_PATH}/:folder/:name`;

export interface SignedUrlPorts {
  /** Undefined if clients reach the object store directly. */
  readonly signedUrlAccess: SignedUrlAccess | undefined;
}

/** Gives the key of the object. */
const objectParams = z
  .object({ folder: z.string(), name: z.string() })
  .transform(({ folder, name }) => `${folder}/${name}`);

/** All parameters are read, because the signature covers them. */
const signedQuery = z.object({}).catchall(z.union([z.string(), z.array(z.string())]));

/** Stores the image of a scan, by a signed URL. */
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
  handle: async ({ params: key, query, headers, address, body }, { signedUrlAccess }: SignedUrlPorts) => {
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

/** Returns the full analysis of a scan, by a signed URL. */
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
  handle: async ({ params: key, query }, { signedUrlAccess }: SignedUrlPorts) => {
    const { body, contentType, sizeBytes } = await signedUrlAccess!.read({ key, query });
    return { headers: { 'content-type': contentType, 'content-length': sizeBytes }, body };
  },
});
