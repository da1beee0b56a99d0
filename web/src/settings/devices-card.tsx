import { useSignal } from '@preact/signals';
import type { ListedSession } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { ask } from '../account/ask.ts';
import { dateOf } from '../days.ts';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { headingOf, passFocus } from '../parts/focus.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { Card } from './card.tsx';

/** Devices that are signed in; each can be signed out from here. */
export function DevicesCard() {
  const { devices: all } = texts.value;
  const sessions = useSignal<readonly ListedSession[]>([]);
  const { problem, isBusy, attempt, read } = useAttempts();
  const load = async () => setTo(sessions, await ask('GET /v1/sessions'));
  useEffect(() => void read(load), []);
  const end = (id: string, button: HTMLElement) =>
    passFocus(button, headingOf(button), () =>
      attempt(async () => {
        await ask('DELETE /v1/sessions/{sessionId}', { path: { sessionId: id } });
        await load();
      }),
    );
  return (
    <Card title={all.title} text={all.text}>
      <ul class="items">
        {sessions.value.map(({ id, device, lastSeenAt, current }) => (
          <li key={id}>
            <span>
              {device}
              <span class="quiet note">
                {current
                  ? all.thisDevice
                  : all.lastSeen(
                      dateOf(lastSeenAt.slice(0, 10), { day: 'numeric', month: 'short', year: 'numeric' }),
                    )}
              </span>
            </span>
            {!current && (
              <BusyButton
                type="button"
                isBusy={isBusy}
                onClick={({ currentTarget }) => void end(id, currentTarget)}
              >
                {all.end}
              </BusyButton>
            )}
          </li>
        ))}
      </ul>
      <Problem text={problem} onRetry={() => read(load)} />
    </Card>
  );
}
