import type { AppError, ErrorCode } from '@larder/core/errors.ts';

/** What a caller of a tool can do about an error, beyond its message. */
const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  unresolved_items:
    'Nothing was written. The details name the words and foods that may be meant; log_meal takes these by foodId, and with partial ' +
    'it leaves out what is not understood.',
  food_not_found: 'search_foods finds foods and their ids.',
  barcode_not_found: 'log_meal also takes a foodName with the values of the label.',
  diary_entry_not_found: 'get_day lists the entries of a day with their ids.',
  scan_job_not_found: 'scan_photo without a scanId begins a scan.',
  version_conflict: 'Nothing was changed. The details have the present state in "current".',
  idempotency_conflict: 'Another idempotencyKey names another write.',
  deleted: 'What had this id was deleted.',
};

export function adviceFor({ code, details }: AppError): string {
  if (code === 'forbidden' && 'scope' in details)
    return 'Whoever runs the service can make a key with this scope, by `larder key create`.';
  return ADVICE[code] ?? '';
}
