import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { MAX_OBJECT_BYTES } from '../../blobs/object-store.ts';
import type { ImageType } from '../../scan/scan-job.ts';
import { text } from '../openapi/text-schemas.ts';

const IMAGE_TYPES: readonly ImageType[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heif',
];
const MAX_CLIENT_ID = 200;

/** The fields of a new scan that both variants have. */
export const newScanFields = {
  clientId: text(MAX_CLIENT_ID)
    .describe('The app or device that asks; recorded with the job, never trusted.')
    .meta({ example: 'phone-1' }),
  contentType: z
    .string()
    .describe(`The type of the image that will be sent: ${IMAGE_TYPES.join(', ')}.`)
    .meta({ enum: IMAGE_TYPES, example: 'image/jpeg' }),
  contentLength: z
    .int()
    .min(1)
    .max(MAX_OBJECT_BYTES)
    .optional()
    .describe(
      'The length of the image in bytes. Where it is given, the upload address takes exactly so many; send it as Content-Length.',
    ),
};

/** Throws `invalid_content_type` for a type that is not accepted. */
export function parseImageType(contentType: string): ImageType {
  const type = contentType.trim().toLowerCase() as ImageType;
  if (IMAGE_TYPES.includes(type)) return type;
  throw new AppError({
    code: 'invalid_content_type',
    message: `The contentType has to be one of ${IMAGE_TYPES.join(', ')}.`,
    details: { allowed: IMAGE_TYPES },
  });
}
