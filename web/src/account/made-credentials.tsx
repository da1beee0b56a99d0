import { type Signal, useSignal } from '@preact/signals';
import type { PersonCredentials } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { useAttempts } from '../parts/attempts.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { texts as allTexts } from '../texts/texts.ts';
import { ask } from './ask.ts';

interface MadeCredentialsProps {
  readonly personId: string;
  /** Whether keys and webhooks are handed over to the signed-in person. */
  readonly isHandedOver: Signal<boolean>;
}

/** What a person made for others and ends with them; nothing where there is nothing. */
export function MadeCredentials({ personId, isHandedOver }: MadeCredentialsProps) {
  const texts = allTexts.value.madeCredentials;
  const made = useSignal<PersonCredentials | undefined>(undefined);
  const { problem, attempt } = useAttempts();
  const load = () =>
    attempt(async () =>
      setTo(made, await ask('GET /v1/people/{personId}/credentials', { path: { personId } })),
    );
  useEffect(() => void load(), []);
  if (made.value === undefined) return <Problem text={problem} onRetry={load} />;
  const { keys, webhooks, invitations } = made.value;
  const lines = [
    ...keys.map(({ id, name, tenant }) => texts.key(`${name ?? id} (${tenant})`)),
    ...webhooks.map(({ url }) => texts.webhook(new URL(url).host)),
    ...invitations.map(() => texts.invitation),
  ];
  if (lines.length === 0) return null;
  return (
    <>
      <p>{texts.ends}</p>
      <ul>
        {lines.map((line, at) => (
          <li key={`${at} ${line}`}>{line}</li>
        ))}
      </ul>
      {keys.length + webhooks.length > 0 && (
        <label class="tick">
          <input
            type="checkbox"
            checked={isHandedOver.value}
            onChange={({ currentTarget: { checked } }) => setTo(isHandedOver, checked)}
          />
          {texts.handOver}
        </label>
      )}
    </>
  );
}

/** Removes a person, with or without the credentials that the person made for others. */
export function removePerson(personId: string, isHandedOver: Signal<boolean>): Promise<void> {
  const query = isHandedOver.peek() ? ({ credentials: 'hand_over' } as const) : {};
  return ask('DELETE /v1/people/{personId}', { path: { personId }, query });
}
