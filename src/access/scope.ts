/** Scopes that an access token can have. */
export const USER_SCOPES = ['foods:read', 'foods:write', 'scan', 'diary:read', 'diary:write'] as const;
/** Scopes of a token that names none: without those that change foods, which other users may see. */
export const DEFAULT_USER_SCOPES: readonly Scope[] = USER_SCOPES.filter((scope) => scope !== 'foods:write');
/**
 * Scopes of a key. None contains another. `metrics` covers all tenants, so only the operator gives it, on the command
 * line.
 */
export const SCOPES = [...USER_SCOPES, 'admin', 'metrics'] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

export function isUserScope(text: string): text is Scope {
  return (USER_SCOPES as readonly string[]).includes(text);
}
