import { signal, useSignal, useSignalEffect } from '@preact/signals';
import type { Identity } from 'larder-client';
import { BASE } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { language, texts } from '../texts/texts.ts';
import { ask } from './ask.ts';
import { openIdResult } from './openid-result.ts';

/** Name of the provider; null where there is none, undefined until it is known. */
const provider = signal<string | null | undefined>(undefined);

async function loadProvider(): Promise<void> {
  if (provider.peek() !== undefined) return;
  provider.value = (await ask('GET /v1/session/methods')).openid?.name ?? null;
}

function SignInProblem({ error = '' }: { readonly error?: string }) {
  const { failures, other } = texts.value.openId;
  const code = openIdResult.value;
  const isFailure = code !== undefined && !['done', 'linked', 'confirmed'].includes(code);
  const text = error !== '' || !isFailure ? error : (failures[code as keyof typeof failures] ?? other);
  return <Problem text={text} />;
}

/** The button by which a person signs in elsewhere; nothing where no provider is set up. `link` is the secret of an invitation. */
export function OpenIdSignIn({ link }: { readonly link?: string }) {
  const problem = useSignal('');
  useSignalEffect(() => {
    // Without the service the form above says so.
    loadProvider().catch(() => {});
  });
  const name = provider.value;
  const go = async () => {
    if (link === undefined) return location.assign(new URL('v1/session/openid', BASE));
    try {
      location.assign((await ask('POST /v1/session/openid', { body: { link } })).url);
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  return (
    <>
      <SignInProblem error={problem.value} />
      {typeof name === 'string' && (
        <button type="button" onClick={() => void go()}>
          {texts.value.openId.signIn(name)}
        </button>
      )}
    </>
  );
}

/** Accounts elsewhere by which the person signs in, for the settings; nothing where no provider is set up. */
export function OpenIdAccounts() {
  const identities = useSignal<readonly Identity[]>([]);
  const problem = useSignal('');
  const attempt = async (step: () => Promise<void>) => {
    problem.value = '';
    openIdResult.value = undefined;
    try {
      await step();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  const load = async () => {
    await loadProvider();
    if (provider.peek() === null) return;
    identities.value = await ask('GET /v1/people/me/identities');
  };
  useSignalEffect(() => {
    load().catch((error) => setTo(problem, problemOf(error)));
  });
  const name = provider.value;
  if (name === undefined) return <Problem text={problem.value} onRetry={() => attempt(load)} />;
  if (name === null) return null;
  const { accounts, none, link, unlink, linkedSince } = texts.value.openId;
  const add = () =>
    attempt(async () => {
      location.assign((await ask('POST /v1/people/me/identities')).url);
    });
  const remove = (id: string) =>
    attempt(async () => {
      await ask('DELETE /v1/people/me/identities/{identityId}', { path: { identityId: id } });
      await load();
    });
  const dates = new Intl.DateTimeFormat(language.value, { dateStyle: 'medium' });
  return (
    <section class="card" aria-label={accounts(name)}>
      <h2>{accounts(name)}</h2>
      {identities.value.length === 0 ? (
        <p class="quiet">{none}</p>
      ) : (
        <ul class="rows">
          {identities.value.map(({ id, issuer, createdAt }) => (
            <li key={id} class="row">
              <span>
                {new URL(issuer).host}
                <span class="quiet"> {linkedSince(dates.format(new Date(createdAt)))}</span>
              </span>
              <button type="button" onClick={() => void remove(id)}>
                {unlink}
              </button>
            </li>
          ))}
        </ul>
      )}
      <SignInProblem error={problem.value} />
      <button type="button" onClick={() => void add()}>
        {link}
      </button>
    </section>
  );
}
