/** What a key may be allowed. None contains another; a key holds exactly what it was given. */
export const SCOPES = ['foods:read', 'foods:write', 'scan', 'diary:read', 'diary:write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
