/** What users of a tenant may be allowed: the scopes that an access token can carry. */
export const USER_SCOPES = ['foods:read', 'foods:write', 'scan', 'diary:read', 'diary:write'] as const;
/** Those that a token has without asking: not what changes foods, which others may see. */
export const DEFAULT_USER_SCOPES: readonly Scope[] = USER_SCOPES.filter((scope) => scope !== 'foods:write');
/**
 * What a key may be allowed. None contains another; a key holds exactly what it was given. `metrics` tells of all tenants,
 * so only the operator gives it, on the command line.
 */
export const SCOPES = [...USER_SCOPES, 'admin', 'metrics'] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

export function isUserScope(text: string): text is Scope {
  return (USER_SCOPES as readonly string[]).includes(text);
}
