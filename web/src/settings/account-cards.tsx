import { useSignal } from '@preact/signals';
import type { PasswordState } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { ask } from '../account/ask.ts';
import { OpenIdSignIn } from '../account/openid.tsx';
import { person } from '../account/session.ts';
import { signOut } from '../account/sign-in.ts';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { Card, Unfolding } from './card.tsx';

const MIN_PASSWORD = 8;

/** The own name and password, and the way out. */
export function AccountCards() {
  const { account, accountPage, signOut: out } = texts.value;
  const { problem, attempt, read } = useAttempts();
  const password = useSignal<PasswordState | undefined>(undefined);
  const load = async () => setTo(password, (await ask('GET /v1/session')).password);
  useEffect(() => void read(load), []);
  // Whoever joined by OpenID has none at first.
  const isFirst = password.value?.isSet === false;
  return (
    <Card title={account}>
      <p>{person.value?.name}</p>
      <Unfolding title={accountPage.changeName}>
        <NameForm />
      </Unfolding>
      <Unfolding title={isFirst ? accountPage.setFirst : accountPage.changePassword}>
        {isFirst && !password.value?.maySetFirst ? (
          <>
            <p>{accountPage.signInAgain}</p>
            <OpenIdSignIn />
          </>
        ) : (
          <PasswordForm isFirst={isFirst} onChanged={load} />
        )}
      </Unfolding>
      <Problem text={problem} onRetry={password.value === undefined ? () => read(load) : undefined} />
      <button type="button" onClick={() => void attempt(signOut)}>
        {out}
      </button>
    </Card>
  );
}

function NameForm() {
  const { name, save, changed } = texts.value;
  const { problem, isBusy, attempt } = useAttempts();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const isChanged = await attempt(async () => {
      const answer = await ask('PATCH /v1/people/me', { body: { name: String(fields.get('name')) } });
      person.value = { ...answer };
    });
    if (isChanged) tell(changed);
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <label>
        {name}
        <input
          name="name"
          required
          maxLength={100}
          autocomplete="username"
          defaultValue={person.value?.name ?? ''}
        />
      </label>
      <Problem text={problem} />
      <BusyButton type="submit" isBusy={isBusy}>
        {save}
      </BusyButton>
    </form>
  );
}

interface PasswordFormProps {
  /** Whether the person has no password yet. */
  readonly isFirst: boolean;
  readonly onChanged: () => Promise<void>;
}

/** A new password ends the sessions of all other devices. */
function PasswordForm({ isFirst, onChanged }: PasswordFormProps) {
  const { accountPage: all, passwordRule } = texts.value;
  const { problem, isBusy, attempt } = useAttempts();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const isChanged = await attempt(async () => {
      await ask('PUT /v1/people/me/password', {
        body: {
          ...(!isFirst && { current: String(fields.get('current')) }),
          new: String(fields.get('new')),
          endKeys: fields.has('endKeys'),
          unlink: fields.has('unlink'),
          endPasskeys: fields.has('endPasskeys'),
        },
      });
      await onChanged();
    });
    if (!isChanged) return;
    form.reset();
    tell(all.passwordChanged);
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      {/* Password managers find whose password it is. */}
      <input
        class="visually-hidden"
        autocomplete="username"
        value={person.value?.name}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      {!isFirst && (
        <label>
          {all.currentPassword}
          <input name="current" type="password" required autocomplete="current-password" />
        </label>
      )}
      <label>
        {all.newPassword}
        <input name="new" type="password" required minLength={MIN_PASSWORD} autocomplete="new-password" />
      </label>
      <p class="quiet note">
        {passwordRule} {all.endsOthers}
      </p>
      {!isFirst && (
        <fieldset class="ticks">
          <legend>{all.alsoEnd}</legend>
          <label>
            <input type="checkbox" name="endKeys" />
            {all.endKeys}
          </label>
          <label>
            <input type="checkbox" name="unlink" />
            {all.unlink}
          </label>
          <label>
            <input type="checkbox" name="endPasskeys" />
            {all.endPasskeys}
          </label>
        </fieldset>
      )}
      <Problem text={problem} />
      <BusyButton type="submit" isBusy={isBusy}>
        {all.setPassword}
      </BusyButton>
    </form>
  );
}
