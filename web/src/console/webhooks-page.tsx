import { useSignal } from '@preact/signals';
import type { OperatorWebhook, WebhookInput } from 'larder-client';
import { larder } from '../larder.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { tell } from '../parts/toast.tsx';
import { CopyField } from './dialogs.tsx';
import { format } from './format.ts';
import { useList } from './loaded.ts';
import { operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Facts, nameIn, Panel, ShowMore, State, Table, View } from './view.tsx';

const REFRESH_S = 15;
const KINDS = { queued: 'busy', succeeded: 'good', failed: 'bad' } as const;

/** The webhooks of all apps, and what could not be delivered. */
export function WebhooksPage() {
  const loaded = useList(() => larder.list('GET /v1/operator/webhooks', { query: { limit: 20 } }), REFRESH_S);
  const { sections, webhooksText, noWebhooks } = words.value;
  return (
    <View title={sections.webhooks} intro={webhooksText} loaded={loaded}>
      {({ items: webhooks, hasMore }) => (
        <>
          <WebhookForm onCreated={loaded.reload} />
          {webhooks.length === 0 && <p class="quiet">{noWebhooks}</p>}
          {webhooks.map((webhook) => (
            <Hook key={webhook.id} webhook={webhook} onChanged={loaded.reload} />
          ))}
          <ShowMore hasMore={hasMore} onMore={loaded.showMore} />
        </>
      )}
    </View>
  );
}

interface HookProps {
  readonly webhook: OperatorWebhook;
  readonly onChanged: () => Promise<void>;
}

function Hook({ webhook, onChanged }: HookProps) {
  const all = words.value;
  const problem = useSignal('');
  const attempt = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      problem.value = '';
      tell(done);
      await onChanged();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  const { count, ago } = format.value;
  const { id, url, tenant, events, isEnabled, disabledReason, queued, failed, deliveries = [] } = webhook;
  return (
    <Panel title={url} isWide>
      <Facts
        facts={[
          [
            all.state,
            isEnabled ? (
              <State key="on" kind="good" text={all.enabled} />
            ) : (
              <State
                key="off"
                kind="bad"
                text={`${all.disabled}${disabledReason ? ` (${nameIn(all.disabledReasons, disabledReason)})` : ''}`}
              />
            ),
          ],
          [all.tenant, tenant],
          [all.events, events.join(', ')],
          [all.waiting, count(queued)],
          [all.failed, count(failed)],
        ]}
      />
      <div class="row-actions">
        {isEnabled ? (
          <>
            <button type="button" onClick={() => void attempt(() => operator.testWebhook(id), all.testSent)}>
              {all.test}
            </button>
            <button
              type="button"
              onClick={() => void attempt(() => operator.switchWebhook(id, false), all.paused)}
            >
              {all.pause}
            </button>
          </>
        ) : (
          <button
            type="button"
            onClick={() => void attempt(() => operator.switchWebhook(id, true), all.enabledAgain)}
          >
            {all.enable}
          </button>
        )}
      </div>
      <Problem text={problem.value} />
      <h3>{all.deliveries}</h3>
      <Table
        none={all.noDeliveries}
        label={all.deliveries}
        columns={[all.when, all.events, all.state, '']}
        rows={deliveries}
        keyOf={({ id }) => id}
        cells={(delivery) => [
          ago(delivery.attemptedAt ?? delivery.createdAt),
          delivery.type,
          <span key="state">
            <State kind={KINDS[delivery.status]} text={all.deliveryStates[delivery.status]} />{' '}
            <span class="quiet small">
              {[delivery.responseStatus, all.attempts(delivery.attempts)].filter(Boolean).join(' · ')}
            </span>
          </span>,
          isEnabled && delivery.status === 'failed' && (
            <button
              key="again"
              type="button"
              onClick={() => void attempt(() => operator.redeliver(id, delivery.id), all.sentAgain)}
            >
              {all.sendAgain}
            </button>
          ),
        ]}
      />
    </Panel>
  );
}

/** A webhook of an app, whose secret is shown once. */
function WebhookForm({ onCreated }: { readonly onCreated: () => Promise<void> }) {
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
