import { AppError } from '../errors.ts';

/** For a client who would have something stored that takes much space. */
export function storageFull(cause?: unknown): AppError {
  return new AppError({
    code: 'storage_full',
    message:
      'The disk of the service is almost full, so that it takes no images at the moment; try again later.',
    cause,
  });
}
