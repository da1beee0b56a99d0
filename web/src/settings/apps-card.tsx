import { useSignal } from '@preact/signals';
import type { IssuedKey, Key, OwnKeyInput } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { ask } from '../account/ask.ts';
import { person } from '../account/session.ts';
import { dateOf, today } from '../days.ts';
import { pathTo } from '../larder.ts';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { AskFirst } from './ask-first.tsx';
import { Card } from './card.tsx';
import { ShownOnce } from './shown-once.tsx';

/** Keys of the person; those that act for all users are made in the console. */
export function AppsCard() {
  const { apps: all, console } = texts.value;
  return (
    <Card title={all.title} text={all.text}>
      <OwnKeys />
      <p class="quiet note">{all.userId}</p>
      <pre class="command">
        <code>{person.value?.id}</code>
      </pre>
      {person.value?.role === 'owner' && (
        <>
          <p class="quiet note">{all.ownerText}</p>
          <a href={pathTo('console')}>{console}</a>
        </>
      )}
      <a href={pathTo('docs')} target="_blank" rel="noreferrer">
        {all.docs}
      </a>
    </Card>
  );
}

type OwnScope = OwnKeyInput['scopes'][number];

/** Scopes that most apps need; changing foods changes them for the whole household. */
const USUAL: readonly OwnScope[] = ['diary:read', 'diary:write', 'foods:read', 'scan'];
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;

const dayOf = (time: string) => dateOf(time.slice(0, 10), DAY);
const hasEnded = ({ revokedAt }: Key) => revokedAt !== undefined && Date.parse(revokedAt) <= Date.now();

/** The person's keys for own apps; each is shown once. */
function OwnKeys() {
  const { apps: all } = texts.value;
  const keys = useSignal<readonly Key[]>([]);
  const issued = useSignal<IssuedKey | undefined>(undefined);
  const isOpen = useSignal(false);
  const { problem, read } = useAttempts();
  const load = async () =>
    setTo(
      keys,
      (await ask('GET /v1/people/me/keys')).filter((key) => !hasEnded(key)),
    );
  useEffect(() => void read(load), []);
  const onCreated = async (key: IssuedKey) => {
    issued.value = key;
    isOpen.value = false;
    await load();
  };
  const onRevoked = async (id: string) => {
    if (issued.peek()?.id === id) issued.value = undefined;
    await load();
  };
  return (
    <>
      {keys.value.length > 0 && (
        <ul class="items">
          {keys.value.map((key) => (
            <OwnKey key={key.id} own={key} onRevoked={onRevoked} />
          ))}
        </ul>
      )}
      {issued.value !== undefined && (
        <ShownOnce
          key={issued.value.id}
          label={all.keyOf(issued.value.name ?? all.unnamed)}
          text={issued.value.key}
          note={all.shownOnce}
        />
      )}
      <details open={isOpen.value} onToggle={({ currentTarget: { open } }) => setTo(isOpen, open)}>
        <summary>{all.newKey}</summary>
        {isOpen.value && <OwnKeyForm onCreated={onCreated} />}
      </details>
      <Problem text={problem} onRetry={() => read(load)} />
    </>
  );
}

interface OwnKeyProps {
  readonly own: Key;
  readonly onRevoked: (id: string) => Promise<void>;
}

/** A second tap revokes, since the app needs another key then. */
function OwnKey({ own, onRevoked }: OwnKeyProps) {
  const { apps: all, cancel } = texts.value;
  const { id, name = all.unnamed, scopes, lastUsedAt, expiresAt } = own;
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
  const onRevoke = async () => {
    await ask('DELETE /v1/people/me/keys/{ownKeyId}', { path: { ownKeyId: id } });
    await onRevoked(id);
  };
  return (
    <li>
      <span>
        {name}
        <span class="quiet note">{scopes.map((scope) => all.scopes[scope as OwnScope]).join(', ')}</span>
        <span class="quiet note">
          {lastUsedAt === undefined ? all.neverUsed : all.lastUsed(dayOf(lastUsedAt))}
          {expiresAt !== undefined && ` · ${(isExpired ? all.expired : all.validUntil)(dayOf(expiresAt))}`}
        </span>
      </span>
      <AskFirst
        label={all.revoke}
        spoken={all.revokeKey(name)}
        question={all.reallyRevoke(name)}
        yes={all.revoke}
        no={cancel}
        work={onRevoke}
      />
    </li>
  );
}

function OwnKeyForm({ onCreated }: { readonly onCreated: (key: IssuedKey) => Promise<void> }) {
  const { apps: all } = texts.value;
  const { problem, isBusy, attempt } = useAttempts();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const end = String(fields.get('end'));
    await attempt(async () => {
      const input: OwnKeyInput = {
        name: String(fields.get('name')),
        scopes: fields.getAll('scope').map(String) as OwnScope[],
        // Until the end of the day, on the clock of this device.
        ...(end !== '' && { expiresAt: new Date(`${end}T23:59:59`).toISOString() }),
      };
      await onCreated(await ask('POST /v1/people/me/keys', { body: input }));
    });
  };
  return (
    <form class="form" aria-label={all.newKey} onSubmit={(event) => void submit(event)}>
      <label>
        {all.name}
        <input name="name" required maxLength={100} placeholder={all.nameHint} />
      </label>
      <fieldset class="ticks">
        <legend>{all.mayDo}</legend>
        {Object.entries(all.scopes).map(([scope, text]) => (
          <label key={scope}>
            <input
              type="checkbox"
              name="scope"
              value={scope}
              defaultChecked={USUAL.includes(scope as OwnScope)}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <label>
        {all.end}
        <input name="end" type="date" min={today()} />
      </label>
      <p class="quiet note">{all.endNote}</p>
      <Problem text={problem} />
      <BusyButton type="submit" class="primary" isBusy={isBusy}>
        {all.create}
      </BusyButton>
    </form>
  );
}
