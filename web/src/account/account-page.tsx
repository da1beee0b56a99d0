import { useSignal } from '@preact/signals';
import { LarderError } from 'larder-client';
import type { ComponentChildren, FunctionComponent } from 'preact';
import '../styles/account.css';
import { useEffect, useRef } from 'preact/hooks';
import { pathTo } from '../larder.ts';
import { leftBehind } from '../offline/device.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { focusView } from '../parts/focus.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { loadTexts, texts } from '../texts/texts.ts';
import { ask } from './ask.ts';
import { OpenIdSignIn } from './openid.tsx';
import { createAccount, lastName, signIn } from './sign-in.ts';

const MIN_PASSWORD = 8;

export function SignIn() {
  return <SignInForm send={signInFully} />;
}

async function passkeySignIn() {
  return (await Promise.all([import('./passkey-sign-in.tsx'), loadTexts('account')]))[0];
}

/** Where the person wants a second factor, it is asked for. */
async function signInFully(name: string, password: string): Promise<void> {
  try {
    await signIn(name, password);
  } catch (error) {
    if (!(error instanceof LarderError) || error.code !== 'confirmation_required') throw error;
    const { askSecondFactor } = await passkeySignIn();
    if (!(await askSecondFactor((more) => signIn(name, password, more)))) throw error;
  }
}

function SignInForm({ send }: Pick<AccountFormProps, 'send'>) {
  const { signIn: title, noAccount, offline } = texts.value;
  return (
    <AccountForm title={title} send={send} autocomplete="current-password">
      <OpenIdSignIn />
      <PasskeyButton />
      <p class="quiet">{noAccount}</p>
      {leftBehind.value > 0 && <p>{offline.signOutWaiting(leftBehind.value)}</p>}
    </AccountForm>
  );
}

/** Loaded where somebody of the household has a passkey. */
function PasskeyButton() {
  const shown = useSignal<{ readonly View: FunctionComponent } | undefined>(undefined);
  useEffect(() => {
    const load = async () => {
      const { passkeys } = await ask('GET /v1/session/methods');
      if (passkeys) shown.value = { View: (await passkeySignIn()).PasskeySignIn };
    };
    // Without the service the form above says so.
    load().catch(() => {});
  }, []);
  return shown.value === undefined ? null : <shown.value.View />;
}

/** Asks to sign in again, in front of the view that the expired session has left and of its dialogs. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    if (lastName() !== '') passwordIn(shown)?.focus();
    return () => {
      // The dialog returns the focus to the element before it, which may be gone.
      shown.close();
      setTimeout(focusView);
    };
  }, []);
  const send = async (name: string, password: string) => {
    await signInFully(name, password);
    // Writes that cannot be sent stay, and the page says so.
    import('./sent.ts').then(({ sendWaiting }) => sendWaiting()).catch(() => {});
  };
  return (
    <dialog
      ref={dialog}
      class="sign-in-again"
      aria-label={texts.value.signIn}
      onCancel={(event) => event.preventDefault()}
    >
      <p class="quiet">{texts.value.problems.expired}</p>
      <SignInForm send={send} />
    </dialog>
  );
}

function passwordIn(element: HTMLElement): HTMLInputElement | null {
  return element.querySelector<HTMLInputElement>('input[name=password]');
}

/** Opened by a link with `#link=…`: the secret stays in the browser until the form is sent. */
export function Welcome({ onDone }: { readonly onDone: () => void }) {
  const {
    welcome,
    welcomeText,
    passwordRule,
    createAccount: button,
    noLink,
    signIn: signInTitle,
  } = texts.value;
  const secrets = new URLSearchParams(location.hash.slice(1));
  const reset = secrets.get('reset');
  if (reset !== null) return <NewPassword link={reset} />;
  const link = secrets.get('link');
  if (link === null) {
    return (
      <main class="account">
        <Brand />
        <h1>{welcome}</h1>
        <p>{noLink}</p>
        <p>
          <a href={pathTo('')}>{signInTitle}</a>
        </p>
      </main>
    );
  }
  const send = async (name: string, password: string) => {
    await createAccount(link, name, password);
    onDone();
  };
  return (
    <AccountForm
      title={welcome}
      intro={welcomeText}
      button={button}
      rule={passwordRule}
      send={send}
      autocomplete="new-password"
    >
      <OpenIdSignIn link={link} />
    </AccountForm>
  );
}

/** Opened by a link with `#reset=…`, which an owner made for a member who forgot the password. */
function NewPassword({ link }: { readonly link: string }) {
  const { reset: all, passwordRule, password, signIn: signInTitle } = texts.value;
  const name = useSignal('');
  const problem = useSignal('');
  const isSending = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    isSending.value = true;
    problem.value = '';
    try {
      const typed = String(fields.get('password'));
      name.value = (await ask('POST /v1/people/password', { body: { link, password: typed } })).name;
    } catch (error) {
      problem.value = problemOf(error);
    }
    isSending.value = false;
  };
  return (
    <main class="account">
      <Brand />
      <h1>{all.title}</h1>
      {name.value === '' ? (
        <form onSubmit={submit}>
          <p>{all.intro}</p>
          <label>
            {password}
            <input
              name="password"
              type="password"
              autocomplete="new-password"
              required
              minLength={MIN_PASSWORD}
            />
          </label>
          <Problem text={problem.value} />
          <p class="quiet note">{passwordRule}</p>
          <BusyButton type="submit" class="primary" isBusy={isSending.value}>
            {all.set}
          </BusyButton>
        </form>
      ) : (
        <>
          <p role="status">{all.done(name.value)}</p>
          <p>
            <a href={pathTo('')}>{signInTitle}</a>
          </p>
        </>
      )}
    </main>
  );
}

interface AccountFormProps {
  readonly title: string;
  readonly intro?: string;
  readonly button?: string;
  readonly autocomplete: 'current-password' | 'new-password';
  readonly send: (name: string, password: string) => Promise<void>;
  readonly rule?: string;
  readonly children?: ComponentChildren;
}

function AccountForm({ title, intro, button = title, autocomplete, rule, send, children }: AccountFormProps) {
  const problem = useSignal('');
  const isSending = useSignal(false);
  const isKnown = autocomplete === 'current-password';
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    isSending.value = true;
    problem.value = '';
    try {
      await send(String(fields.get('name')), String(fields.get('password')));
    } catch (error) {
      problem.value = problemOf(error);
      // The password is most likely wrong.
      const field = isKnown ? passwordIn(form) : null;
      field?.select();
      field?.focus();
    }
    isSending.value = false;
  };
  const { name, password } = texts.value;
  return (
    <main class="account">
      <Brand />
      <h1>{title}</h1>
      {intro !== undefined && <p>{intro}</p>}
      <form onSubmit={submit}>
        <label>
          {name}
          <input
            name="name"
            autocomplete="username"
            required
            maxLength={100}
            defaultValue={isKnown ? lastName() : ''}
          />
        </label>
        <label>
          {password}
          <input
            name="password"
            type="password"
            autocomplete={autocomplete}
            required
            minLength={isKnown ? 1 : MIN_PASSWORD}
          />
        </label>
        <Problem text={problem.value} />
        {rule !== undefined && <p class="quiet note">{rule}</p>}
        <BusyButton type="submit" class="primary" isBusy={isSending.value}>
          {button}
        </BusyButton>
      </form>
      {children}
    </main>
  );
}

/** The mark of the page, as its icon has it. */
function Brand() {
  return (
    <p class="brand">
      <svg class="jar" viewBox="14 6 36 52" aria-hidden="true">
        <path class="lid" d="M20 8h24v7H20z" />
        <path class="glass" d="M16 19h32v29a8 8 0 0 1-8 8H24a8 8 0 0 1-8-8z" />
        <path class="content" d="M22 31h20v15H22z" />
      </svg>
      Larder
    </p>
  );
}
