/** The result of `npm audit --json`. */
export type AuditOutcome =
  | { readonly kind: 'clean' }
  | { readonly kind: 'found'; readonly found: readonly string[] }
  /** The registry is not reachable, or does not support audits. */
  | { readonly kind: 'unanswered'; readonly reason: string };

interface AuditJson {
  readonly message?: string;
  readonly error?: { readonly code?: string; readonly summary?: string };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

/** npm exits with 1 both for a vulnerability and for a missing registry; only its output differs. */
export function readAudit(output: string): AuditOutcome {
  const answer = parse(output);
  if (answer?.vulnerabilities === undefined) {
    const reason = answer?.message ?? answer?.error?.summary ?? answer?.error?.code ?? 'npm gave no answer';
    return { kind: 'unanswered', reason: reason || 'npm gave no reason' };
  }
  const found = Object.entries(answer.vulnerabilities).map(
    ([name, { severity, range }]) => `${name} ${range}: ${severity}`,
  );
  return found.length === 0 ? { kind: 'clean' } : { kind: 'found', found };
}

function parse(output: string): AuditJson | undefined {
  try {
    return JSON.parse(output) as AuditJson;
  } catch {
    return undefined;
  }
}
