import { useSignal } from '@preact/signals';
import type { Invitation, InvitationList, IssuedInvitation } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { ask } from '../account/ask.ts';
import { dateOf } from '../days.ts';
import { Problem } from '../parts/problem-line.tsx';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { useAttempts } from './card.tsx';

/** Links by which others join; each is shown once. */
export function Invitations() {
  const { household: all } = texts.value;
  const open = useSignal<readonly Invitation[]>([]);
  const issued = useSignal<IssuedInvitation | undefined>(undefined);
  const { problem, isBusy, attempt } = useAttempts();
  const load = async () => {
    open.value = (await ask<InvitationList>('GET', '/v1/invitations')).invitations;
  };
  useEffect(() => void attempt(load), []);
  const invite = () =>
    attempt(async () => {
      issued.value = await ask<IssuedInvitation>('POST', '/v1/invitations', { role: 'member' });
      await load();
    });
  const withdraw = (id: string) =>
    attempt(async () => {
      await ask('DELETE', `/v1/invitations/${id}`);
      if (issued.peek()?.id === id) issued.value = undefined;
      await load();
    });
  return (
    <>
      <button type="button" class="primary" disabled={isBusy} onClick={() => void invite()}>
        {all.invite}
      </button>
      {issued.value !== undefined && <InvitationLink url={issued.value.url} />}
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
                <button type="button" disabled={isBusy} onClick={() => void withdraw(id)}>
                  {all.withdraw}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <Problem text={problem} onRetry={() => attempt(load)} />
    </>
  );
}

function InvitationLink({ url }: { readonly url: string }) {
  const { household: all } = texts.value;
  const copy = async () => {
    // Absent on pages without TLS, where the marked text can be copied by hand.
    if (navigator.clipboard === undefined) return;
    await navigator.clipboard.writeText(url);
    tell(all.copied);
  };
  return (
    <div class="link-once">
      <label>
        {all.link}
        <input readOnly value={url} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <p class="quiet note">{all.linkText}</p>
      <div class="buttons">
        <button type="button" onClick={() => void copy()}>
          {all.copy}
        </button>
        {navigator.share !== undefined && (
          <button type="button" onClick={() => void navigator.share({ url }).catch(() => {})}>
            {all.share}
          </button>
        )}
      </div>
    </div>
  );
}
