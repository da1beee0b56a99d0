import type { AppError, ErrorCode } from '@larder/core/errors.ts';
import { isCallerAccess, type OperationDeclaration } from '../../api/operation.ts';

/** The errors of token requests, each with its status (RFC 6749, 5.2). */
export const OAUTH_ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
} as const;
type OAuthErrorCode = keyof typeof OAUTH_ERROR_STATUS;

/** Whether clients of this operation use the authentication and the errors of OAuth. */
export function isTokenAddress({ access }: Pick<OperationDeclaration, 'access'>): boolean {
  return isCallerAccess(access) && access.credential === 'client-secret';
}

/** The status and body for OAuth clients; undefined for errors that OAuth leaves to HTTP, such as 429. */
export function toOAuthError(
  error: AppError,
): { readonly status: number; readonly body: string } | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const body = { error: code, error_description: inOAuthCharacters(error.message) };
  return { status: OAUTH_ERROR_STATUS[code], body: JSON.stringify(body) };
}

/** The fields that have an error of their own. */
const FIELD_CODES: Readonly<Record<string, OAuthErrorCode>> = {
  scope: 'invalid_scope',
  grant_type: 'unsupported_grant_type',
};

/** The OAuth error for each of our codes that has one. */
export const OAUTH_CODES: { readonly [Code in ErrorCode]?: OAuthErrorCode } = {
  invalid_api_key: 'invalid_client',
  expired_api_key: 'invalid_client',
  forbidden: 'unauthorized_client',
  invalid_request: 'invalid_request',
  invalid_query: 'invalid_request',
};

function codeOf({ code, details }: AppError): OAuthErrorCode | undefined {
  const known = OAUTH_CODES[code];
  if (known !== 'invalid_request') return known;
  const [field = ''] = (details as { readonly fields?: readonly string[] }).fields ?? [];
  return FIELD_CODES[field] ?? known;
}

/** Descriptions have no quotes, backslashes and letters beyond ASCII. */
function inOAuthCharacters(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^ !#-[\]-~]/g, '?');
}
