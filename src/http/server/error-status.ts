import type { ErrorCode } from '../../errors.ts';

/** The HTTP status of every error code. A code without a status does not compile. */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  invalid_query: 400,
  invalid_barcode: 400,
  invalid_content_type: 400,
  invalid_api_key: 401,
  expired_api_key: 401,
  invalid_token: 401,
  expired_token: 401,
  forbidden: 403,
  quota_exceeded: 403,
  not_found: 404,
  barcode_not_found: 404,
  food_not_found: 404,
  scan_job_not_found: 404,
  diary_entry_not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  version_conflict: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  internal_error: 500,
  unavailable: 503,
  storage_full: 507,
};
