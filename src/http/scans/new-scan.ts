import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { MAX_OBJECT_BYTES } from '../../objects/object-store.ts';
import type { ScanRequest } from '../../scan/jobs/scans.ts';
import type { ImageType } from '../../scan/scan-job.ts';
import { IMAGE_ORIGINS } from '../../scan/scan-job.ts';
import { text } from '../openapi/text-schemas.ts';
import { readBody } from '../server/bodies.ts';

const IMAGE_TYPES: readonly ImageType[] = ['image/jpeg', 'image/png', 'image/webp'];
const MAX_CLIENT_ID = 200;

/** What the bodies of both variants begin with. */
const shared = {
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

export const newScanSchema = z
  .strictObject({
    ...shared,
    imageType: z
      .enum(IMAGE_ORIGINS)
      .default('photo')
      .describe('`photo` from the camera, `upload` from the gallery.'),
  })
  .meta({ id: 'NewScan' });

export const unversionedNewScanSchema = z.strictObject(shared).meta({ id: 'UnversionedNewScan' });

/** Throws `invalid_content_type` for a type that is no image of ours. */
export function readScanRequest(
  schema: z.ZodType<
    Pick<ScanRequest, 'clientId' | 'contentLength'> & {
      contentType: string;
      imageType?: ScanRequest['imageType'];
    }
  >,
  body: unknown,
): ScanRequest {
  const { clientId, contentType, contentLength, imageType = 'photo' } = readBody(schema, body);
  const known = IMAGE_TYPES.find((type) => type === contentType.trim().toLowerCase());
  if (known !== undefined) return { clientId, contentType: known, imageType, contentLength };
  throw new AppError({
    code: 'invalid_content_type',
    message: `The contentType has to be one of ${IMAGE_TYPES.join(', ')}.`,
    details: { allowed: IMAGE_TYPES },
  });
}
