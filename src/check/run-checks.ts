import { SCOPES, type Scope } from '../access/api-key.ts';
import { type Check, type CheckEnd, type CheckResult, QUICK_MS } from './check.ts';
import { CheckFailure, CheckSkip } from './checked-response.ts';
import { Session } from './session.ts';
import { oauthError, token } from './shapes.ts';

const CLEAN_UP_MS = 15_000;

export interface CheckRun {
  /** URL of the service, without a slash at the end. */
  readonly url: string;
  /** An API key; without it, checks that need one are skipped. */
  readonly key: string | undefined;
  /** The name of the key in messages. */
  readonly keyName?: string;
  /** Marks what this run creates; different in every run. */
  readonly mark: string;
  readonly checks: readonly Check[];
  /** Factor on all time limits, for a distant or busy service. */
  readonly patience?: number;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Once aborted, no further check starts; the current one finishes, because it knows what to remove. */
  readonly signal?: AbortSignal;
}

/** The name of the result that says why the key cannot be used. */
const KEY = 'API key';

/**
 * Runs the checks in sequence, yields each result, and removes the objects that they created. If the key
 * cannot be used, a result that says so replaces the first check that needs it, and is the last one.
 */
export async function* runChecks(run: CheckRun): AsyncGenerator<CheckResult> {
  const granted = run.key === undefined ? undefined : await grantedScopes(run, run.key);
  for (const check of run.checks) {
    if (run.signal?.aborted) return;
    if (granted instanceof CheckFailure && check.scopes !== undefined) {
      yield { name: KEY, ms: 0, outcome: 'failed', problem: granted.message };
      return;
    }
    yield await runCheck(check, run, granted instanceof CheckFailure ? undefined : granted);
  }
}

async function runCheck(
  check: Check,
  { url, key = '', mark, patience = 1, nowMs }: CheckRun,
  granted: readonly Scope[] | undefined,
): Promise<CheckResult> {
  const { name, scopes, timeoutMs = QUICK_MS } = check;
  const startMs = nowMs();
  const within = (ms: number) => AbortSignal.timeout(ms * patience);
  const session = new Session({ url, key, mark, patience, signal: within(timeoutMs) });
  const outcome = await endOf(async () => {
    if (scopes !== undefined) requireScopes(scopes, granted);
    await check.run(session);
  });
  // A failed clean-up is a failure too, but must not hide that of the check.
  const cleanUp = await endOf(() => session.cleanUp(within(CLEAN_UP_MS)));
  const told = outcome.outcome === 'failed' || cleanUp.outcome === 'passed' ? outcome : cleanUp;
  return { name, ms: Math.round(nowMs() - startMs), ...told };
}

async function endOf(work: () => Promise<void>): Promise<CheckEnd> {
  try {
    await work();
    return { outcome: 'passed' };
  } catch (error) {
    if (error instanceof CheckSkip) return { outcome: 'skipped', reason: error.message };
    if (error instanceof CheckFailure) return { outcome: 'failed', problem: error.message };
    // An error in the check itself must not stop the others, nor leave anything behind.
    return { outcome: 'failed', problem: `The check itself broke: ${error}` };
  }
}

function requireScopes(scopes: readonly Scope[], granted: readonly Scope[] | undefined): void {
  if (granted === undefined) throw new CheckSkip('No key was given; --key or LARDER_KEY takes one.');
  const missing = scopes.filter((scope) => !granted.includes(scope));
  if (missing.length > 0) throw new CheckSkip(`The key lacks ${missing.join(' and ')}.`);
}

/** The user scope that a token has only if the request names it. */
const ASKED_FOR: Scope = 'foods:write';

/** Finds the key's scopes by requesting tokens: for all default scopes, and for the others. */
async function grantedScopes(run: CheckRun, key: string): Promise<readonly Scope[] | CheckFailure> {
  const { url, mark, patience = 1 } = run;
  const signal = AbortSignal.timeout(QUICK_MS * patience);
  const session = new Session({ url, key, mark, patience, signal });
  const ask = (body: object) =>
    session.ask('POST', '/v1/auth/token', {
      as: 'nobody',
      body: { client_secret: key, user_id: session.userId, ...body },
    });
  try {
    const answer = await ask({});
    if (answer.status === 401) {
      const { error_description: reason } = answer.read(oauthError);
      return new CheckFailure(`The service refuses ${run.keyName ?? 'this key'}: ${reason}`);
    }
    const { scope } = answer.expect(200).read(token);
    const granted = scope.split(' ');
    if ((await ask({ scope: ASKED_FOR })).status === 200) granted.push(ASKED_FOR);
    return SCOPES.filter((name) => granted.includes(name));
  } catch (error) {
    if (error instanceof CheckFailure) return error;
    throw error;
  }
}
