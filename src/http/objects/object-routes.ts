import { clientNetwork } from '../../limits/client-network.ts';
import { OBJECTS_PATH } from '../../objects/signed-url.ts';
import type { SignedUrlAccess } from '../../objects/signed-url-access.ts';
import { dropRest, rawBody } from '../server/raw-body.ts';
import type { Route, RouteRequest } from '../server/route.ts';

export interface ObjectRoutesPorts {
  /** Undefined where objects lie in a store that clients reach by themselves. */
  readonly signedUrlAccess: (() => SignedUrlAccess) | undefined;
}

const PATH = `${OBJECTS_PATH}/:folder/:name`;

/**
 * Where the signed addresses of this service lead. No part of the API: clients use them as they were given, and
 * those of another object store look different.
 */
export function objectRoutes({ signedUrlAccess }: ObjectRoutesPorts): readonly Route[] {
  if (signedUrlAccess === undefined) return [];
  return [
    {
      method: 'PUT',
      path: PATH,
      access: 'public',
      operation: 'uncounted',
      readsRawBody: true,
      handle: async (request, reply) => {
        const { 'content-type': contentType, 'content-length': length } = request.headers;
        try {
          await signedUrlAccess().receive({
            key: keyOf(request),
            query: request.query,
            client: clientNetwork(request.ip),
            contentType,
            contentLength: length === undefined ? undefined : Number(length),
            body: rawBody(request.raw, () => reply.header('connection', 'close')),
          });
        } catch (error) {
          dropRest(request.raw);
          throw error;
        }
        // 200 and nothing else, as other object stores answer.
        reply.removeHeader('content-type');
        return '';
      },
    },
    {
      method: 'GET',
      path: PATH,
      access: 'public',
      operation: 'uncounted',
      handle: async (request, reply) => {
        const { body, contentType, sizeBytes } = await signedUrlAccess().read({
          key: keyOf(request),
          query: request.query,
        });
        reply.headers({ 'content-type': contentType, 'content-length': sizeBytes });
        return body;
      },
    },
  ];
}

function keyOf({ params }: RouteRequest): string {
  return `${params['folder']}/${params['name']}`;
}
