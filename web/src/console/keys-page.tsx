import { useSignal } from '@preact/signals';
import type { IssuedKey, Key } from 'larder-client';
import { larder } from '../larder.ts';
import { setTo } from '../parts/signals.ts';
import { tell } from '../parts/toast.tsx';
import { askFirst, CopyField, Dialog } from './dialogs.tsx';
import { format } from './format.ts';
import { KeyForm } from './key-form.tsx';
import { useList, useLoaded } from './loaded.ts';
import { operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { nameIn, Panel, ShowMore, Table, View } from './view.tsx';

/** The keys of all apps, those that people created for their own among them. */
export function KeysPage() {
  const loaded = useList(() => larder.list('GET /v1/keys', { query: { limit: 50 } }));
  const people = useLoaded(operator.people);
  const nameOfPerson = (id: string) => people.value?.find((person) => person.id === id)?.name ?? id;
  const issued = useSignal<IssuedKey | undefined>(undefined);
  const all = words.value;
  const { ago, moment } = format.value;
  const show = async (key: IssuedKey) => {
    issued.value = key;
    await loaded.reload();
  };
  const rotate = ({ id }: Key) => {
    const { rotateTitle, rotateText, rotate: yes } = words.value;
    askFirst({
      title: rotateTitle,
      text: rotateText,
      yes,
      act: async () => show(await operator.rotateKey(id)),
    });
  };
  const revoke = (key: Key) => {
    const { revokeTitle, revokeText, revoke: yes, revoked } = words.value;
    askFirst({
      title: revokeTitle,
      text: revokeText(nameOf(key)),
      yes,
      isDanger: true,
      act: async () => {
        await operator.revokeKey(key.id);
        tell(revoked(nameOf(key)));
        await loaded.reload();
      },
    });
  };
  return (
    <View title={all.sections.keys} intro={all.keysText} loaded={loaded}>
      {({ items: keys, hasMore }) => {
        const live = keys.filter(
          ({ revokedAt }) => revokedAt === undefined || Date.parse(revokedAt) > Date.now(),
        );
        return (
          <>
            <Panel title={all.sections.keys} isWide>
              {live.length === 0 ? (
                <p class="quiet">{all.noKeys}</p>
              ) : (
                <Table
                  label={all.sections.keys}
                  columns={[all.name, all.keyOwner, all.scopes, all.created, all.lastUsed, '']}
                  rows={live}
                  keyOf={({ id }) => id}
                  cells={(key) => [
                    <strong key="name">{nameOf(key)}</strong>,
                    key.userId === undefined ? key.tenant : nameOfPerson(key.userId),
                    <span key="scopes" class="small">
                      {key.scopes.map((scope) => nameIn(all.scopeNames, scope)).join(', ')}
                    </span>,
                    <span key="created" title={moment(key.createdAt)}>
                      {ago(key.createdAt)}
                    </span>,
                    key.lastUsedAt === undefined ? (
                      <span class="quiet">{all.never}</span>
                    ) : (
                      ago(key.lastUsedAt)
                    ),
                    <span key="actions" class="row-actions">
                      {key.userId === undefined && (
                        <button type="button" onClick={() => rotate(key)}>
                          {all.rotate}
                        </button>
                      )}
                      <button type="button" class="danger" onClick={() => revoke(key)}>
                        {all.revoke}
                      </button>
                    </span>,
                  ]}
                />
              )}
              <ShowMore hasMore={hasMore} onMore={loaded.showMore} />
            </Panel>
            <KeyForm onCreated={show} />
            <Dialog
              title={issued.value === undefined ? undefined : nameOf(issued.value)}
              onClose={() => setTo(issued, undefined)}
            >
              <CopyField label={all.shownOnce} text={issued.value?.key ?? ''} />
              <div class="actions">
                <button type="button" class="primary" onClick={() => setTo(issued, undefined)}>
                  {all.close}
                </button>
              </div>
            </Dialog>
          </>
        );
      }}
    </View>
  );
}

function nameOf({ name }: Key): string {
  return name ?? words.value.unnamed;
}
