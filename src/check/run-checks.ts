import { SCOPES, type Scope } from '../access/scope.ts';
import { CheckFailure, CheckSkip } from './answer.ts';
import { type Check, type CheckEnd, type CheckResult, QUICK_MS } from './check.ts';
import { Session } from './session.ts';
import { token } from './shapes.ts';

const CLEAN_UP_MS = 15_000;

export interface CheckRun {
  /** Where the service is, without a slash at the end. */
  readonly url: string;
  /** An API key; without it what needs one is skipped. */
  readonly key: string | undefined;
  /** Names what this run makes; different in every run. */
  readonly mark: string;
  readonly checks: readonly Check[];
  /** Factor on all time limits, for a service that is far away or busy. */
  readonly patience?: number;
  /** Milliseconds since any moment, never backwards. */
  readonly nowMs: () => number;
  /** Once aborted, no further check is begun; the one under way goes on to its end, since it knows what to remove. */
  readonly signal?: AbortSignal;
}

/** Runs the checks one after another and tells of each as it ends. Whatever they made is removed. */
export async function* runChecks(run: CheckRun): AsyncGenerator<CheckResult> {
  const granted = run.key === undefined ? undefined : await grantedScopes(run, run.key);
  for (const check of run.checks) {
    if (run.signal?.aborted) return;
    yield await runCheck(check, run, granted);
  }
}

async function runCheck(
  check: Check,
  { url, key = '', mark, patience = 1, nowMs }: CheckRun,
  granted: readonly Scope[] | CheckFailure | undefined,
): Promise<CheckResult> {
  const { name, scopes, timeoutMs } = check;
  const startMs = nowMs();
  const within = (ms: number) => AbortSignal.timeout(ms * patience);
  const session = new Session({ url, key, mark, patience, signal: within(timeoutMs) });
  const outcome = await endOf(async () => {
    if (scopes !== undefined) requireScopes(scopes, granted);
    await check.run(session);
  });
  // Leaving something behind is a fault too, but must not hide that of the check itself.
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
    // A fault of the check must not keep the others from telling what they found, nor leave anything behind.
    return { outcome: 'failed', problem: `The check itself broke: ${error}` };
  }
}

function requireScopes(scopes: readonly Scope[], granted: readonly Scope[] | CheckFailure | undefined): void {
  if (granted === undefined) throw new CheckSkip('No key was given.');
  if (granted instanceof CheckFailure) throw granted;
  const missing = scopes.filter((scope) => !granted.includes(scope));
  if (missing.length > 0) throw new CheckSkip(`The key lacks ${missing.join(' and ')}.`);
}

/** What a token has only where it is asked for, of all that users can have. */
const ASKED_FOR: Scope = 'foods:write';

/** Learns the key's scopes by asking for tokens: for all that one has unasked, and for the rest. */
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
    if (answer.status === 401) return new CheckFailure('The service does not take this key.');
    const { scope } = answer.expect(200).read(token);
    const granted = scope.split(' ');
    if ((await ask({ scope: ASKED_FOR })).status === 200) granted.push(ASKED_FOR);
    return SCOPES.filter((name) => granted.includes(name));
  } catch (error) {
    if (error instanceof CheckFailure) return error;
    throw error;
  }
}
