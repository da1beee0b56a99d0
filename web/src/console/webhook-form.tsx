import { useSignal } from '@preact/signals';
import type { WebhookInput } from 'larder-client';
import { BusyButton } from '../parts/busy-button.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { CopyField } from './dialogs.tsx';
import { operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Panel } from './view.tsx';

/** A webhook of an app, whose secret is shown once. */
export function WebhookForm({ onCreated }: { readonly onCreated: () => Promise<void> }) {
  const all = words.value;
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const secret = useSignal<string | undefined>(undefined);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    isBusy.value = true;
    problem.value = '';
    try {
      const created = await operator.createWebhook({
        tenant: String(fields.get('tenant')),
        url: String(fields.get('url')),
        events: fields.getAll('event') as WebhookInput['events'],
      });
      secret.value = created.secret;
      form.reset();
      await onCreated();
    } catch (error) {
      problem.value = problemOf(error);
    }
    isBusy.value = false;
  };
  return (
    <Panel title={all.newWebhook} isWide>
      <form class="form" aria-label={all.newWebhook} onSubmit={(event) => void submit(event)}>
        <div class="pair">
          <label>
            {all.address}
            <input name="url" type="url" required placeholder="https://app.example.com/hooks" />
          </label>
          <label title={all.tenantHint}>
            {all.tenant}
            <input name="tenant" required defaultValue="default" pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}" />
          </label>
        </div>
        <fieldset class="ticks">
          <legend>{all.events}</legend>
          {Object.entries(all.eventNames).map(([event, name]) => (
            <label key={event}>
              <input type="checkbox" name="event" value={event} defaultChecked={event === 'diary.changed'} />
              {name}
            </label>
          ))}
        </fieldset>
        <Problem text={problem.value} />
        <BusyButton type="submit" class="primary" isBusy={isBusy.value}>
          {all.createWebhook}
        </BusyButton>
      </form>
      {secret.value !== undefined && <CopyField label={all.webhookSecret} text={secret.value} />}
    </Panel>
  );
}
