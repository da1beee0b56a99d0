import { z } from 'zod';
import { OBJECTS_PATH } from '../../objects/signed-url.ts';
import type { SignedUrlAccess } from '../../objects/signed-url-access.ts';

/**
 * Where the signed URLs of this service lead. No part of the API: clients use them as they were given, and those of another
 * object store look different.
 */
export const OBJECT_PATH = `${OBJECTS_PATH}/:folder/:name`;

export interface SignedUrlPorts {
  /** Undefined where objects lie in a store that clients reach by themselves. */
  readonly signedUrlAccess: SignedUrlAccess | undefined;
}

/** Gives the key of the object. */
export const objectParams = z
  .object({ folder: z.string(), name: z.string() })
  .transform(({ folder, name }) => `${folder}/${name}`);

/** All parameters, since the signature covers them. */
export const signedQuery = z.object({}).catchall(z.union([z.string(), z.array(z.string())]));
