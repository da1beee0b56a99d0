import { useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { setTo } from '../parts/signals.ts';
import '../styles/confirm.css';
import { BusyButton } from '../parts/busy-button.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { texts as allTexts, loadTexts } from '../texts/texts.ts';
import { ask } from './ask.ts';
import { confirmByPasskey, PasskeyProblem } from './passkeys.ts';
import { person } from './session.ts';

const CHANNEL = 'larder-confirm';

interface ConfirmProps {
  readonly methods: readonly string[];
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Asks the person for a proof in a dialog over the view; false if the person cancels. */
export async function confirmPerson(methods: readonly string[]): Promise<boolean> {
  await loadTexts('account');
  const place = document.body.appendChild(document.createElement('div'));
  return new Promise<boolean>((resolve) => {
    const end = (isConfirmed: boolean) => {
      render(null, place);
      place.remove();
      resolve(isConfirmed);
    };
    render(<ConfirmDialog methods={methods} onDone={() => end(true)} onCancel={() => end(false)} />, place);
  });
}

/** A browser that refuses a passkey says so itself. */
function messageOf(error: unknown): string {
  return error instanceof PasskeyProblem ? error.message : problemOf(error);
}

function ConfirmDialog({ methods, onDone, onCancel }: ConfirmProps) {
  const texts = allTexts.value.confirm;
  const dialog = useRef<HTMLDialogElement>(null);
  const isOver = useRef(false);
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const provider = useSignal<string | undefined>(undefined);
  const done = () => {
    isOver.current = true;
    dialog.current?.close();
    onDone();
  };
  useEffect(() => {
    dialog.current!.showModal();
    // The provider's window ends on a page of this service, which sends a message.
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = done;
    if (methods.includes('openid'))
      ask('GET /v1/session/methods').then(
        ({ openid }) => setTo(provider, openid?.name),
        () => {},
      );
    return () => channel.close();
  }, []);
  const attempt = async (step: () => Promise<void>) => {
    isBusy.value = true;
    try {
      problem.value = '';
      await step();
    } catch (error) {
      const isWrong = (error as { code?: string }).code === 'forbidden';
      problem.value = isWrong ? texts.wrong : messageOf(error);
    } finally {
      isBusy.value = false;
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget as HTMLFormElement).get('password'));
    void attempt(async () => {
      await ask('POST /v1/session/confirm', { body: { password } });
      done();
    });
  };
  const leave = () => {
    // Opened by the tap itself; browsers block windows that come later.
    const opened = window.open('', CHANNEL);
    void attempt(async () => {
      const { url } = await ask('POST /v1/session/confirm/openid');
      (opened ?? window).location.assign(url);
    });
  };
  const hasPassword = methods.includes('password');
  return (
    <dialog
      ref={dialog}
      class="confirm-dialog"
      aria-label={texts.title}
      onClose={() => {
        if (!isOver.current) onCancel();
      }}
    >
      <h2>{texts.title}</h2>
      <p>{hasPassword || methods.length > 0 ? texts.why : texts.signInAgain}</p>
      <form class="form" onSubmit={submit}>
        {hasPassword && (
          <>
            {/* Password managers find whose password it is. */}
            <input
              class="visually-hidden"
              autocomplete="username"
              value={person.value?.name}
              readOnly
              tabIndex={-1}
              aria-hidden="true"
            />
            <label>
              {texts.password}
              <input name="password" type="password" required autocomplete="current-password" />
            </label>
          </>
        )}
        <Problem text={problem.value} />
        {methods.includes('passkey') && (
          <button
            type="button"
            onClick={() =>
              void attempt(async () => {
                await confirmByPasskey();
                done();
              })
            }
          >
            {texts.passkey}
          </button>
        )}
        {provider.value !== undefined && (
          <button type="button" onClick={leave}>
            {texts.by(provider.value)}
          </button>
        )}
        <div class="buttons">
          {hasPassword && (
            <BusyButton type="submit" class="primary" isBusy={isBusy.value}>
              {texts.confirm}
            </BusyButton>
          )}
          <button type="button" onClick={() => dialog.current?.close()}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
