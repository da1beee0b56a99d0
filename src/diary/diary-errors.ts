import { AppError } from '@larder/core/errors.ts';
import { MAX_BATCH_ENTRIES } from './records/entry.ts';

/** Maximum copies in one transaction, which blocks other writers; a thousand take about 15 ms. */
export const MAX_COPIED_ENTRIES = 1_000;

export function tooManyEntries(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `Send 1 to ${MAX_BATCH_ENTRIES} entries at once.`,
    details: { max: MAX_BATCH_ENTRIES },
  });
}

export function tooManyCopies(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `At most ${MAX_COPIED_ENTRIES} entries can be copied at once; copy one meal at a time.`,
    details: { max: MAX_COPIED_ENTRIES },
  });
}

/** Error for an id that a client chose and that was deleted. */
export function wasDeleted(): AppError {
  return new AppError({
    code: 'deleted',
    message: 'The object with this "id" was deleted; choose another id for a new one.',
    details: { fields: ['id'] },
  });
}

export function entryNotFound(): AppError {
  return new AppError({ code: 'diary_entry_not_found', message: 'There is no diary entry with this id.' });
}

export function versionConflict(): AppError {
  return new AppError({
    code: 'version_conflict',
    message: 'It has been changed in the meantime; read it again and repeat the change.',
  });
}
