import type {
  ApiErrorDetails400,
  ApiErrorDetails403,
  BarcodeNotFoundDetails,
  ErrorCode,
  FoodNotFoundDetails,
  ForbiddenDetails,
  PayloadTooLargeDetails,
  RateLimitExceededDetails,
  RecipeNotFoundDetails,
  ScanFailure,
  ScanJobNotFoundDetails,
  UnavailableDetails,
  UnresolvedItemsDetails,
  UnsupportedMediaTypeDetails,
  VersionConflictDetails,
} from '../generated/types.gen.ts';

type NoDetails = Record<never, never>;

/** The `details` of codes that have some, and of those that are no `<kind>_not_found`. */
interface OwnErrorDetails {
  invalid_request: Omit<ApiErrorDetails400, 'parameter' | 'allowed'>;
  invalid_query: Pick<ApiErrorDetails400, 'parameter' | 'limit' | 'maxDays'>;
  invalid_barcode: Pick<ApiErrorDetails400, 'fields' | 'index' | 'start' | 'end' | 'line'>;
  invalid_content_type: Required<Pick<ApiErrorDetails400, 'allowed'>>;
  invalid_api_key: { readonly session?: 'ended' | 'expired' | undefined };
  expired_api_key: Required<Pick<ApiErrorDetails403, 'expiredAt'>>;
  invalid_token: NoDetails;
  expired_token: NoDetails;
  forbidden: ForbiddenDetails;
  confirmation_required: Required<Pick<ApiErrorDetails403, 'methods' | 'maxAgeSeconds'>>;
  quota_exceeded: Required<Pick<ApiErrorDetails403, 'quota' | 'limit' | 'used'>>;
  not_found: NoDetails;
  barcode_not_found: BarcodeNotFoundDetails;
  food_not_found: FoodNotFoundDetails;
  scan_job_not_found: ScanJobNotFoundDetails;
  recipe_not_found: RecipeNotFoundDetails;
  method_not_allowed: Pick<ApiErrorDetails400, 'allowed'>;
  conflict: NoDetails;
  idempotency_conflict: NoDetails;
  cursor_expired: NoDetails;
  deleted: Pick<ApiErrorDetails400, 'fields' | 'index' | 'start' | 'end' | 'line'>;
  version_conflict: VersionConflictDetails;
  payload_too_large: PayloadTooLargeDetails;
  unsupported_media_type: UnsupportedMediaTypeDetails;
  unresolved_items: UnresolvedItemsDetails;
  rate_limit_exceeded: RateLimitExceededDetails;
  internal_error: NoDetails;
  unavailable: UnavailableDetails;
  storage_full: NoDetails;
}

/** The `details` of each code that the service answers. */
export type ServiceErrorDetails = OwnErrorDetails & {
  [Code in Exclude<Extract<ErrorCode, `${string}_not_found`>, keyof OwnErrorDetails>]: NoDetails;
};

/** The `details` of each code, those of this client included. */
export interface ErrorDetails extends ServiceErrorDetails {
  /** There was no response: no connection, or it broke. `cause` is the error of `fetch`. */
  connection_failed: { readonly origin: string };
  /** There was no complete response within `timeoutMs`. */
  timeout: { readonly timeoutMs: number };
  /** The response does not come from the service, but for example from a proxy or another object store. */
  unexpected_response: { readonly body: string };
  /** Errors of token requests (RFC 6749, 5.2), beside `invalid_request`. */
  invalid_client: NoDetails;
  unauthorized_client: NoDetails;
  unsupported_grant_type: NoDetails;
  invalid_scope: NoDetails;
  /** A scan ended without a result; `details.code` says why. */
  scan_failed: ScanFailure;
}

/** The closed list of codes: the service's, those of OAuth, and four of this client. */
export type LarderErrorCode = keyof ErrorDetails;

export interface LarderErrorParts {
  readonly code: LarderErrorCode;
  readonly message: string;
  readonly details?: object | undefined;
  /** The status of the response. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

class CodedError extends Error {
  override readonly name = 'LarderError';

  constructor({ message, cause, details = {}, ...facts }: LarderErrorParts) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { details }, facts);
  }
}

/** A `LarderError` with the given code. */
export interface LarderErrorOf<Code extends LarderErrorCode> extends Error {
  readonly name: 'LarderError';
  readonly code: Code;
  /** Facts for a program. */
  readonly details: ErrorDetails[Code];
  /** Status of the response, if there was one. */
  readonly status?: number | undefined;
  /** Names the request in the log of the service. */
  readonly requestId?: string | undefined;
  /** Time after which the service allows the request to be repeated. */
  readonly retryAfterMs?: number | undefined;
}

/** Thrown for every failure of the service or of the connection to it; `code` determines the type of `details`. */
export type LarderError = { [Code in LarderErrorCode]: LarderErrorOf<Code> }[LarderErrorCode];

export const LarderError = CodedError as unknown as new (parts: LarderErrorParts) => LarderError;
