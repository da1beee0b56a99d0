import { useSignal } from '@preact/signals';
import type { Passkey, PasskeyList } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { ask } from '../account/ask.ts';
import { createPasskey, PasskeyProblem, passkeyObstacle } from '../account/passkeys.ts';
import { dateOf } from '../days.ts';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { tell } from '../parts/toast.tsx';
import { texts as allTexts } from '../texts/texts.ts';
import { AskFirst } from './ask-first.tsx';
import { Card } from './card.tsx';

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const dayOf = (time: string) => dateOf(time.slice(0, 10), DAY);

/** The passkeys of the person, and the recovery codes. */
export function PasskeysCard() {
  const texts = allTexts.value.passkeys;
  const known = useSignal<PasskeyList | undefined>(undefined);
  const codes = useSignal<readonly string[]>([]);
  const { problem, isBusy, attempt, read } = useAttempts();
  const refusal = useSignal('');
  const load = async () => setTo(known, await ask('GET /v1/people/me/passkeys'));
  useEffect(() => void read(load), []);
  const change = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work();
      await load();
    });
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    refusal.value = '';
    await change(async () => {
      try {
        const added = await createPasskey(String(new FormData(form).get('name')));
        codes.value = added.recoveryCodes ?? [];
        form.reset();
      } catch (error) {
        if (!(error instanceof PasskeyProblem)) throw error;
        refusal.value = error.message;
      }
    });
  };
  const require = async (isRequired: boolean) => {
    known.value = { ...known.peek()!, required: isRequired };
    if (!(await change(() => ask('PATCH /v1/people/me/passkeys', { body: { required: isRequired } }))))
      await load().catch(() => {});
  };
  const renew = () =>
    change(async () => setTo(codes, (await ask('POST /v1/people/me/recovery-codes')).recoveryCodes));
  const { passkeys = [], required = false, recoveryCodes = 0 } = known.value ?? {};
  const obstacle = passkeyObstacle();
  return (
    <Card title={texts.title} text={texts.text}>
      {passkeys.length > 0 && (
        <ul class="items">
          {passkeys.map((passkey) => (
            <OnePasskey key={passkey.id} passkey={passkey} onRemoved={load} />
          ))}
        </ul>
      )}
      {obstacle === '' ? (
        <form class="form" onSubmit={(event) => void add(event)}>
          <label>
            {texts.name}
            <input name="name" required maxLength={60} defaultValue={texts.exampleName} />
          </label>
          <BusyButton type="submit" isBusy={isBusy}>
            {texts.add}
          </BusyButton>
        </form>
      ) : (
        <p class="quiet note">{obstacle}</p>
      )}
      {codes.value.length > 0 && (
        <section aria-label={texts.codes}>
          <p>{texts.codesOnce}</p>
          <pre class="command">
            <code>{codes.value.join('\n')}</code>
          </pre>
        </section>
      )}
      {passkeys.length > 0 && (
        <>
          <label class="tick">
            <input
              type="checkbox"
              checked={required}
              onChange={({ currentTarget: { checked } }) => void require(checked)}
            />
            {texts.required}
          </label>
          <p class="quiet note">{texts.codesLeft(recoveryCodes)}</p>
          <button type="button" onClick={() => void renew()}>
            {texts.newCodes}
          </button>
          <AskFirst
            label={texts.noPassword}
            question={texts.reallyNoPassword}
            yes={texts.noPassword}
            no={texts.cancel}
            work={async () => {
              await ask('DELETE /v1/people/me/password');
              tell(texts.passwordGone);
              await load();
            }}
          />
        </>
      )}
      <Problem
        text={problem === '' ? refusal.value : problem}
        onRetry={known.value === undefined ? () => read(load) : undefined}
      />
    </Card>
  );
}

function OnePasskey({
  passkey,
  onRemoved,
}: {
  readonly passkey: Passkey;
  readonly onRemoved: () => Promise<void>;
}) {
  const texts = allTexts.value.passkeys;
  const { id, name, site, createdAt, lastUsedAt } = passkey;
  return (
    <li>
      <span>
        {name}
        <span class="quiet note">
          {texts.site(site, dayOf(createdAt))}
          {lastUsedAt !== undefined && ` · ${texts.lastUsed(dayOf(lastUsedAt))}`}
        </span>
      </span>
      <AskFirst
        label={texts.remove}
        spoken={texts.removeNamed(name)}
        question={texts.reallyRemove(name)}
        yes={texts.remove}
        no={texts.cancel}
        work={async () => {
          await ask('DELETE /v1/people/me/passkeys/{passkeyId}', { path: { passkeyId: id } });
          await onRemoved();
        }}
      />
    </li>
  );
}
