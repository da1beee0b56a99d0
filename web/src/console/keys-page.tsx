import { useSignal } from '@preact/signals';
import { type IssuedKey, type Key, type KeyInput, LarderError } from 'larder-client';
import { numberOf } from '../amounts/typed-number.ts';
import { larder } from '../larder.ts';
import { NumberField } from '../parts/number-field.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { tell } from '../parts/toast.tsx';
import { trimField } from '../parts/trim-field.ts';
import { askFirst, CopyField, Dialog } from './dialogs.tsx';
import { format } from './format.ts';
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
              <Table
                none={all.noKeys}
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
                  key.lastUsedAt === undefined ? <span class="quiet">{all.never}</span> : ago(key.lastUsedAt),
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

/** What most apps need, ticked at first. */
const USUAL: readonly string[] = ['foods:read', 'scan', 'diary:read', 'diary:write'];

interface KeyFormProps {
  readonly onCreated: (key: IssuedKey) => Promise<void>;
}

/** A key with no more than was ticked. */
function KeyForm({ onCreated }: KeyFormProps) {
  const all = words.value;
  const problem = useSignal('');
  /** Limits as they were typed. */
  const limits = useSignal<Readonly<Record<string, string>>>({});
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const stated = Object.entries(limits.value)
      .filter(([, text]) => text.trim() !== '')
      .map(([name, text]) => [name, Math.round(numberOf(text))]);
    const tenant = String(fields.get('tenant'));
    const asked: KeyInput = {
      name: String(fields.get('name')),
      tenant,
      scopes: fields.getAll('scope') as KeyInput['scopes'],
      ...(stated.length > 0 && { limits: Object.fromEntries(stated) }),
    };
    const create = async (more: Pick<KeyInput, 'newTenant'> = {}) => {
      const key = await operator.createKey({ ...asked, ...more });
      form.reset();
      limits.value = {};
      await onCreated(key);
    };
    problem.value = '';
    try {
      await create();
    } catch (error) {
      if (isUnknownTenant(error)) askForTenant(tenant, () => create({ newTenant: true }));
      else problem.value = problemOf(error);
    }
  };
  return (
    <Panel title={all.newKey} isWide>
      <form class="form" aria-label={all.newKey} onSubmit={submit}>
        <div class="pair">
          <label>
            {all.name}
            <input name="name" required maxLength={100} placeholder={all.nameHint} onChange={trimField} />
          </label>
          <label title={all.tenantHint}>
            {all.tenant}
            <input name="tenant" required defaultValue="default" pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}" />
          </label>
        </div>
        <p class="quiet note">{all.tenantHint}</p>
        <fieldset class="ticks">
          <legend>{all.scopes}</legend>
          {Object.entries(all.scopeNames).map(([scope, name]) => (
            <label key={scope}>
              <input type="checkbox" name="scope" value={scope} defaultChecked={USUAL.includes(scope)} />
              {name}
            </label>
          ))}
        </fieldset>
        <details class="fold">
          <summary>{all.limits}</summary>
          <p class="quiet note">{all.limitsHint}</p>
          <div class="numbers">
            {Object.entries(all.limitNames).map(([name, text]) => (
              <NumberField
                key={name}
                label={text}
                min={1}
                value={limits.value[name] ?? ''}
                onInput={(typed) => setTo(limits, { ...limits.value, [name]: typed })}
              />
            ))}
          </div>
        </details>
        <Problem text={problem.value} />
        <button type="submit" class="primary">
          {all.create}
        </button>
      </form>
    </Panel>
  );
}

/** The form takes no name that cannot be one of a tenant. */
function isUnknownTenant(error: unknown): boolean {
  if (!(error instanceof LarderError) || error.code !== 'invalid_request') return false;
  const { fields } = error.details;
  return fields?.length === 1 && fields[0] === 'tenant';
}

function askForTenant(name: string, act: () => Promise<void>): void {
  const { tenant, noSuchTenant, beginTenant } = words.value;
  askFirst({ title: `${tenant}: ${name}`, text: noSuchTenant, yes: beginTenant, act });
}
