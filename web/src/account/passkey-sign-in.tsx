import { useSignal } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import '../styles/confirm.css';
import { BusyButton } from '../parts/busy-button.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { texts as allTexts } from '../texts/texts.ts';
import { answerByPasskey, PasskeyProblem, passkeyObstacle } from './passkeys.ts';
import { type SecondFactor, signInBy } from './sign-in.ts';

/** What goes wrong with a passkey, for people. */
export function passkeyProblemOf(error: unknown): string {
  if (error instanceof PasskeyProblem) return error.message;
  const isRefused = (error as { code?: string }).code === 'forbidden';
  return isRefused ? allTexts.value.passkeys.refused : problemOf(error);
}

/** Runs one action at a time, and keeps its error. */
function useSteps() {
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const attempt = async (step: () => Promise<void>) => {
    isBusy.value = true;
    problem.value = '';
    try {
      await step();
    } catch (error) {
      problem.value = passkeyProblemOf(error);
    }
    isBusy.value = false;
  };
  return { problem, isBusy, attempt };
}

/** The ways in without a password, where somebody of the household has a passkey. */
export function PasskeySignIn() {
  const texts = allTexts.value.passkeys;
  const { problem, isBusy, attempt } = useSteps();
  if (passkeyObstacle() !== '') return null;
  const useCode = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    void attempt(() =>
      signInBy('POST /v1/session', {
        name: String(fields.get('who')),
        recoveryCode: String(fields.get('code')),
      }),
    );
  };
  return (
    <>
      <BusyButton
        type="button"
        isBusy={isBusy.value}
        onClick={() =>
          void attempt(async () => signInBy('POST /v1/session/passkey', await answerByPasskey()))
        }
      >
        {texts.signIn}
      </BusyButton>
      <Problem text={problem.value} />
      <details>
        <summary>{texts.lost}</summary>
        <form class="form" onSubmit={useCode}>
          <label>
            {texts.yourName}
            <input name="who" autocomplete="username" required maxLength={100} />
          </label>
          <CodeField />
          <BusyButton type="submit" isBusy={isBusy.value}>
            {texts.useCode}
          </BusyButton>
        </form>
      </details>
    </>
  );
}

function CodeField() {
  return (
    <label>
      {allTexts.value.passkeys.code}
      <input name="code" autocomplete="one-time-code" required maxLength={40} spellcheck={false} />
    </label>
  );
}

/** Asks for a passkey or a recovery code after the password, and signs in with it. False where the person does not say. */
export function askSecondFactor(finish: (factor: SecondFactor) => Promise<void>): Promise<boolean> {
  const place = document.body.appendChild(document.createElement('div'));
  return new Promise((resolve) => {
    const end = (isDone: boolean) => {
      render(null, place);
      place.remove();
      resolve(isDone);
    };
    render(<SecondStep finish={finish} onEnd={end} />, place);
  });
}

interface SecondStepProps {
  readonly finish: (factor: SecondFactor) => Promise<void>;
  readonly onEnd: (isDone: boolean) => void;
}

function SecondStep({ finish, onEnd }: SecondStepProps) {
  const texts = allTexts.value.passkeys;
  const { problem, isBusy, attempt } = useSteps();
  const isDone = useRef(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  const send = (factor: () => Promise<SecondFactor>) =>
    void attempt(async () => {
      await finish(await factor());
      isDone.current = true;
      dialog.current?.close();
    });
  const obstacle = passkeyObstacle();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const recoveryCode = String(new FormData(event.currentTarget as HTMLFormElement).get('code'));
    send(async () => ({ recoveryCode }));
  };
  return (
    <dialog
      ref={dialog}
      class="confirm-dialog"
      aria-label={texts.second}
      onClose={() => onEnd(isDone.current)}
    >
      <h2>{texts.second}</h2>
      <p>{texts.secondText}</p>
      {obstacle === '' ? (
        <BusyButton
          type="button"
          class="primary"
          isBusy={isBusy.value}
          onClick={() => send(async () => ({ passkey: await answerByPasskey() }))}
        >
          {texts.confirm}
        </BusyButton>
      ) : (
        <Quiet>{obstacle}</Quiet>
      )}
      <form class="form" onSubmit={submit}>
        <CodeField />
        <Problem text={problem.value} />
        <div class="buttons">
          <BusyButton type="submit" isBusy={isBusy.value}>
            {texts.useCode}
          </BusyButton>
          <button type="button" onClick={() => dialog.current?.close()}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function Quiet({ children }: { readonly children: ComponentChildren }) {
  return <p class="quiet note">{children}</p>;
}
