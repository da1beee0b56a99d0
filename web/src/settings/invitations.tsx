import { useSignal } from '@preact/signals';
import type { Invitation, IssuedInvitation } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { ask } from '../account/ask.ts';
import { dateOf } from '../days.ts';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { headingOf, passFocus } from '../parts/focus.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { ShownOnce } from './shown-once.tsx';

/** Links by which others join; each is shown once. */
export function Invitations() {
  const { household: all } = texts.value;
  const open = useSignal<readonly Invitation[]>([]);
  const issued = useSignal<IssuedInvitation | undefined>(undefined);
  const { problem, isBusy, attempt } = useAttempts();
  const load = async () => setTo(open, await ask('GET /v1/invitations'));
  useEffect(() => void attempt(load), []);
  const invite = () =>
    attempt(async () => {
      issued.value = await ask('POST /v1/invitations', { body: { role: 'member' } });
      await load();
    });
  const withdraw = (id: string, button: HTMLElement) =>
    passFocus(button, headingOf(button), () =>
      attempt(async () => {
        await ask('DELETE /v1/invitations/{invitationId}', { path: { invitationId: id } });
        if (issued.peek()?.id === id) issued.value = undefined;
        await load();
      }),
    );
  return (
    <>
      <BusyButton type="button" class="primary" isBusy={isBusy} onClick={() => void invite()}>
        {all.invite}
      </BusyButton>
      {issued.value !== undefined && (
        <ShownOnce label={all.link} text={issued.value.url} note={all.linkText} isAddress />
      )}
      {open.value.length > 0 && (
        <>
          <h3>{all.invitations}</h3>
          <ul class="items">
            {open.value.map(({ id, role, expiresAt }) => (
              <li key={id}>
                <span>
                  {all.roles[role]}
                  <span class="quiet note">
                    {all.validUntil(dateOf(expiresAt.slice(0, 10), { day: 'numeric', month: 'long' }))}
                  </span>
                </span>
                <BusyButton
                  type="button"
                  isBusy={isBusy}
                  onClick={({ currentTarget }) => void withdraw(id, currentTarget)}
                >
                  {all.withdraw}
                </BusyButton>
              </li>
            ))}
          </ul>
        </>
      )}
      <Problem text={problem} onRetry={() => attempt(load)} />
    </>
  );
}
