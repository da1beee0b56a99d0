import { useSignal } from '@preact/signals';
import type { IssuedKey, KeyInput } from 'larder-client';
import { LarderError } from 'larder-client';
import { numberOf } from '../amounts/typed-number.ts';
import { NumberField } from '../parts/number-field.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { trimField } from '../parts/trim-field.ts';
import { askFirst } from './dialogs.tsx';
import { operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Panel } from './view.tsx';

/** What most apps need, ticked at first. */
const USUAL: readonly string[] = ['foods:read', 'scan', 'diary:read', 'diary:write'];

interface KeyFormProps {
  readonly onCreated: (key: IssuedKey) => Promise<void>;
}

/** A key with no more than was ticked. */
export function KeyForm({ onCreated }: KeyFormProps) {
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
