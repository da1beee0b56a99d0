import type { Scope } from '../access/scope.ts';
import type { Session } from './session.ts';

/** One thing that a service has to do right, tried from outside. */
export interface Check {
  /** What is right when it passes; unique, and stable so that scripts may look for it. */
  readonly name: string;
  /** Scopes that the key needs; undefined where no key is needed at all. */
  readonly scopes: readonly Scope[] | undefined;
  /** The longest that it may take, without cleaning up. */
  readonly timeoutMs: number;
  /** Throws a `CheckFailure` for what is wrong, and a `CheckSkip` where there is nothing to try it on. */
  readonly run: (session: Session) => Promise<void>;
}

/** How a check ended. */
export type CheckEnd =
  | { readonly outcome: 'passed' }
  /** `problem` is one sentence that says what was asked, what came and what should have come. */
  | { readonly outcome: 'failed'; readonly problem: string }
  | { readonly outcome: 'skipped'; readonly reason: string };

export type CheckResult = CheckEnd & { readonly name: string; readonly ms: number };

/** For checks of a few requests that wait for nothing. */
export const QUICK_MS = 15_000;
