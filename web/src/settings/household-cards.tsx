import { useSignal } from '@preact/signals';
import type { Person, Sharing } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { ask } from '../account/ask.ts';
import { MadeCredentials, removePerson } from '../account/made-credentials.tsx';
import { loadPeople, people, person } from '../account/session.ts';
import { useAttempts } from '../parts/attempts.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { AskFirst } from './ask-first.tsx';
import { Card } from './card.tsx';
import { Choice } from './display-card.tsx';
import { Invitations } from './invitations.tsx';

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
