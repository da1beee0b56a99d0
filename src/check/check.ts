import type { Scope } from '../access/api-key.ts';
import type { Session } from './session.ts';

/** One requirement of a service, tested from outside. */
export interface Check {
  /** The guarantee that the check verifies; unique and stable, so that scripts may use it. */
  readonly name: string;
  /** Scopes that the key needs; absent if no key is needed. */
  readonly scopes?: readonly Scope[];
  /** Time limit without clean-up; `QUICK_MS` by default. */
  readonly timeoutMs?: number;
  /** Throws a `CheckFailure` if something is wrong, and a `CheckSkip` if it cannot run. */
  readonly run: (session: Session) => Promise<void>;
}

/** The result of a check. */
export type CheckEnd =
  | { readonly outcome: 'passed' }
  /** `problem` is one sentence with the request, the response and the expected response. */
  | { readonly outcome: 'failed'; readonly problem: string }
  | { readonly outcome: 'skipped'; readonly reason: string };

export type CheckResult = CheckEnd & { readonly name: string; readonly ms: number };

/** Time limit of checks with a few requests and no waits. */
export const QUICK_MS = 15_000;
