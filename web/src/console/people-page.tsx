import { signal, useSignal } from '@preact/signals';
import type { Invitation, Person } from 'larder-client';
import { ask } from '../account/ask.ts';
import { MadeCredentials, removePerson } from '../account/made-credentials.tsx';
import { person } from '../account/session.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { tell } from '../parts/toast.tsx';
import { askFirst, CopyField } from './dialogs.tsx';
import { format } from './format.ts';
import { type Loaded, useLoaded } from './loaded.ts';
import { operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Panel, Table, View } from './view.tsx';

interface Household {
  readonly people: readonly Person[];
  readonly invitations: readonly Invitation[];
}

async function readHousehold(): Promise<Household> {
  const [people, invitations] = await Promise.all([ask('GET /v1/people'), ask('GET /v1/invitations')]);
  return { people, invitations };
}

/** Who uses this service, who may, and on which devices. */
export function PeoplePage() {
  const loaded = useLoaded(readHousehold);
  return (
    <View title={words.value.sections.people} loaded={loaded}>
      {({ people, invitations }) => (
        <>
          <Members people={people} loaded={loaded} />
          <Invitations invitations={invitations} loaded={loaded} />
          <Sessions />
        </>
      )}
    </View>
  );
}

interface PartProps {
  readonly loaded: Loaded<Household>;
}

function Members({ people, loaded }: PartProps & { readonly people: readonly Person[] }) {
  const all = words.value;
  const remove = ({ id, name }: Person) => {
    const { removeTitle, removeText, remove: yes, removed } = words.value;
    const isHandedOver = signal(false);
    askFirst({
      title: removeTitle(name),
      text: removeText,
      yes,
      isDanger: true,
      more: <MadeCredentials personId={id} isHandedOver={isHandedOver} />,
      act: async () => {
        await removePerson(id, isHandedOver);
        tell(removed(name));
        await loaded.reload();
      },
    });
  };
  const changeRole = ({ id, name, role }: Person) => {
    const { roleTitle, roleTexts, changeRole: yes, roleChanged, roles } = words.value;
    const next = role === 'owner' ? 'member' : 'owner';
    const isHandedOver = signal(false);
    askFirst({
      title: roleTitle(name, roles[next]),
      text: roleTexts[next],
      yes,
      isDanger: next === 'member',
      ...(next === 'member' && { more: <MadeCredentials personId={id} isHandedOver={isHandedOver} /> }),
      act: async () => {
        const credentials = isHandedOver.peek() ? 'hand_over' : 'end';
        await ask('PATCH /v1/people/{personId}', {
          path: { personId: id },
          body: { role: next, credentials },
        });
        tell(roleChanged(name));
        await loaded.reload();
      },
    });
  };
  const made = useSignal<{ readonly name: string; readonly url: string } | undefined>(undefined);
  const resetPassword = ({ id, name }: Person) => {
    const { resetTitle, resetText, makeLink } = words.value;
    askFirst({
      title: resetTitle(name),
      text: resetText,
      yes: makeLink,
      act: async () => {
        const { url } = await ask('POST /v1/people/{personId}/password-link', { path: { personId: id } });
        made.value = { name, url };
      },
    });
  };
  return (
    <Panel title={all.members} isWide>
      <Table
        label={all.members}
        columns={[all.name, all.role, all.created, '']}
        rows={people}
        keyOf={({ id }) => id}
        cells={(each) => {
          const isMe = each.id === person.value?.id;
          return [
            <span key="name">
              <strong>{each.name}</strong> {isMe && <span class="quiet">({all.you})</span>}
            </span>,
            all.roles[each.role],
            format.value.ago(each.createdAt),
            isMe ? (
              ''
            ) : (
              <span key="actions" class="row-actions">
                {each.role === 'member' && (
                  <button type="button" onClick={() => resetPassword(each)}>
                    {all.resetPassword}
                  </button>
                )}
                <button type="button" onClick={() => changeRole(each)}>
                  {each.role === 'owner' ? all.makeMember : all.makeOwner}
                </button>
                <button type="button" class="danger" onClick={() => remove(each)}>
                  {all.remove}
                </button>
              </span>
            ),
          ];
        }}
      />
      {made.value !== undefined && (
        <CopyField key={made.value.url} label={all.resetLink(made.value.name)} text={made.value.url} />
      )}
    </Panel>
  );
}

function Invitations({ invitations, loaded }: PartProps & { readonly invitations: readonly Invitation[] }) {
  const all = words.value;
  const made = useSignal<string | undefined>(undefined);
  const problem = useSignal('');
  const attempt = async (act: () => Promise<void>) => {
    try {
      await act();
      problem.value = '';
      await loaded.reload();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  const invite = (event: SubmitEvent) => {
    event.preventDefault();
    const role = new FormData(event.currentTarget as HTMLFormElement).get('role') as Invitation['role'];
    void attempt(async () => {
      const { url } = await ask('POST /v1/invitations', { body: { role } });
      made.value = url;
    });
  };
  return (
    <Panel title={all.invitations} isWide>
      <p class="quiet note">{all.inviteText}</p>
      <form class="line" onSubmit={invite}>
        <label>
          {all.role}
          <select name="role">
            <option value="member">{all.roles.member}</option>
            <option value="owner">{all.roles.owner}</option>
          </select>
        </label>
        <button type="submit" class="primary">
          {all.invite}
        </button>
      </form>
      <Problem text={problem.value} />
      {made.value !== undefined && <CopyField label={all.invited} text={made.value} />}
      <Table
        none={all.noInvitations}
        label={all.invitations}
        columns={[all.role, all.validUntil, '']}
        rows={invitations}
        keyOf={({ id }) => id}
        cells={({ id, role, expiresAt }) => [
          all.roles[role],
          format.value.moment(expiresAt),
          <span key="actions" class="row-actions">
            <button
              type="button"
              onClick={() =>
                void attempt(() =>
                  ask('DELETE /v1/invitations/{invitationId}', { path: { invitationId: id } }),
                )
              }
            >
              {all.withdraw}
            </button>
          </span>,
        ]}
      />
    </Panel>
  );
}

function Sessions() {
  const all = words.value;
  const { value: sessions, problem, reload } = useLoaded(operator.sessions);
  const end = async (id: string) => {
    try {
      await operator.endSession(id);
      tell(words.peek().ended);
      await reload();
    } catch (error) {
      tell(problemOf(error));
    }
  };
  return (
    <Panel title={all.sessions} isWide>
      <Problem text={problem} onRetry={reload} />
      {sessions?.length === 0 && <p class="quiet">{all.noSessions}</p>}
      {sessions !== undefined && sessions.length > 0 && (
        <Table
          label={all.sessions}
          columns={[all.person, all.device, all.lastSeen, '']}
          rows={sessions}
          keyOf={({ id }) => id}
          cells={({ id, person: { name }, device, createdAt, lastSeenAt, current }) => [
            <strong key="name">{name}</strong>,
            <span key="device">
              {device ?? all.unknown} {current === true && <span class="quiet">({all.thisDevice})</span>}
            </span>,
            format.value.ago(lastSeenAt ?? createdAt),
            <span key="actions" class="row-actions">
              <button type="button" onClick={() => void end(id)}>
                {all.endSession}
              </button>
            </span>,
          ]}
        />
      )}
    </Panel>
  );
}
