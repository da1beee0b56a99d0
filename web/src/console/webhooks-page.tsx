import { format } from './format.ts';
import { useLoaded } from './loaded.ts';
import { type OperatorWebhook, operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Facts, Panel, State, Table, View } from './view.tsx';

const REFRESH_S = 15;
const KINDS = { queued: 'busy', succeeded: 'good', failed: 'bad' } as const;

/** The webhooks of all apps, and what could not be delivered. */
export function WebhooksPage() {
  const loaded = useLoaded(operator.webhooks, REFRESH_S);
  const { sections, webhooksText, noWebhooks } = words.value;
  return (
    <View title={sections.webhooks} intro={webhooksText} loaded={loaded}>
      {(webhooks) => (
        <>
          {webhooks.length === 0 && <p class="quiet">{noWebhooks}</p>}
          {webhooks.map((webhook) => (
            <Hook key={webhook.id} webhook={webhook} />
          ))}
        </>
      )}
    </View>
  );
}

function Hook({ webhook }: { readonly webhook: OperatorWebhook }) {
  const all = words.value;
  const { count, ago } = format.value;
  const { url, tenant, events, isEnabled, disabled, queued, failed, deliveries = [] } = webhook;
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
                text={`${all.disabled}${disabled ? ` (${disabled.reason})` : ''}`}
              />
            ),
          ],
          [all.tenant, tenant],
          [all.events, events.join(', ')],
          [all.waiting, count(queued)],
          [all.failed, count(failed)],
        ]}
      />
      <h3>{all.deliveries}</h3>
      {deliveries.length === 0 ? (
        <p class="quiet">{all.noDeliveries}</p>
      ) : (
        <Table
          label={all.deliveries}
          columns={[all.when, all.events, all.state]}
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
          ]}
        />
      )}
    </Panel>
  );
}
