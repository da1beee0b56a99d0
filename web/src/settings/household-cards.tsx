import { useSignal } from '@preact/signals';
import type { Invitation, IssuedInvitation, Person, Sharing } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { ask } from '../account/ask.ts';
import { MadeCredentials, removePerson } from '../account/made-credentials.tsx';
import { loadPeople, people, person } from '../account/session.ts';
import { dateOf } from '../days.ts';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { headingOf, passFocus } from '../parts/focus.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { AskFirst } from './ask-first.tsx';
import { Card } from './card.tsx';
import { Choice } from './display-card.tsx';
import { ShownOnce } from './shown-once.tsx';

const ACCESS = ['none', 'read', 'write'] as const;
/** The value for the default that applies to everybody. */
const DEFAULT = 'default';

/** Who sees the own diary, and who belongs to the household. */
export function HouseholdCards() {
  return (
    <>
      <SharingCard />
      {person.value?.role === 'owner' && <MembersCard />}
    </>
  );
}

function SharingCard() {
  const { household: all, changed } = texts.value;
  const sharing = useSignal<Sharing | undefined>(undefined);
  const { problem, attempt } = useAttempts();
  const load = () =>
    attempt(async () => {
      await loadPeople();
      sharing.value = await ask('GET /v1/people/me/sharing');
    });
  useEffect(() => void load(), []);
  const put = async (next: Sharing) => {
    const isPut = await attempt(async () =>
      setTo(sharing, await ask('PUT /v1/people/me/sharing', { body: next })),
    );
    if (isPut) tell(changed);
  };
  const others = people.value.filter(({ id }) => id !== person.value?.id);
  const known = sharing.value;
  const options = ACCESS.map((each) => [each, all.access[each]] as const);
  return (
    <Card title={all.sharing} text={all.sharingText}>
      {known !== undefined && (
        <>
          <Choice
            label={all.everybody}
            value={known.default}
            options={options}
            onChoose={(value) => void put({ ...known, default: value as Sharing['default'] })}
          />
          {others.map(({ id, name }) => (
            <Choice
              key={id}
              label={name}
              value={known.people[id] ?? DEFAULT}
              options={[[DEFAULT, all.asEverybody], ...options]}
              onChoose={(value) => {
                const { [id]: _, ...rest } = known.people;
                const one = value === DEFAULT ? {} : { [id]: value as Sharing['default'] };
                void put({ ...known, people: { ...rest, ...one } });
              }}
            />
          ))}
        </>
      )}
      <Problem text={problem} onRetry={known === undefined ? load : undefined} />
    </Card>
  );
}

function MembersCard() {
  const { household: all } = texts.value;
  return (
    <Card title={all.members} text={all.membersText}>
      <ul class="items">
        {people.value.map((each) => (
          <Member key={each.id} member={each} />
        ))}
      </ul>
      <Invitations />
    </Card>
  );
}

/** A second tap removes, since nothing brings a removed diary back. */
function Member({ member: { id, name, role } }: { readonly member: Person }) {
  const { household: all, delete: remove, keep } = texts.value;
  const isHandedOver = useSignal(false);
  const onRemove = async () => {
    await removePerson(id, isHandedOver);
    await loadPeople();
  };
  return (
    <li>
      <span>
        {name}
        <span class="quiet note">{all.roles[role]}</span>
      </span>
      {id !== person.value?.id && (
        <AskFirst label={all.remove} question={all.reallyRemove(name)} yes={remove} no={keep} work={onRemove}>
          <MadeCredentials personId={id} isHandedOver={isHandedOver} />
        </AskFirst>
      )}
    </li>
  );
}

/** Links by which others join; each is shown once. */
function Invitations() {
  const { household: all } = texts.value;
  const open = useSignal<readonly Invitation[]>([]);
  const issued = useSignal<IssuedInvitation | undefined>(undefined);
  const { problem, isBusy, attempt, read } = useAttempts();
  const load = async () => setTo(open, await ask('GET /v1/invitations'));
  useEffect(() => void read(load), []);
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
      <Problem text={problem} onRetry={() => read(load)} />
    </>
  );
}
