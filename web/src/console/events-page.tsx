import { useSignal } from '@preact/signals';
import { larder } from '../larder.ts';
import { setTo } from '../parts/signals.ts';
import { format } from './format.ts';
import { useList, useLoaded } from './loaded.ts';
import { operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { nameIn, Panel, ShowMore, State, Table, View } from './view.tsx';

const KINDS = { ok: 'good', refused: 'bad', limited: 'bad', failed: 'bad' } as const;
const EVERY_S = 30;

/** What happened to credentials, and data that left or ended. */
export function EventsPage() {
  const isShort = useSignal(false);
  return (
    <EventList
      key={String(isShort.value)}
      isShort={isShort.value}
      onShorten={(isNow) => setTo(isShort, isNow)}
    />
  );
}

interface EventListProps {
  /** Whether only what did not succeed is shown. */
  readonly isShort: boolean;
  readonly onShorten: (isShort: boolean) => void;
}

function EventList({ isShort, onShorten }: EventListProps) {
  const query = { limit: 50, ...(isShort && { result: 'refused,limited,failed' }) };
  const loaded = useList(() => larder.list('GET /v1/operator/events', { query }), EVERY_S);
  const people = useLoaded(operator.people);
  const texts = words.value.securityEvents;
  const { ago, moment } = format.value;
  const nameOf = (who: string) => {
    const id = who.replace(/^person:/, '');
    return people.value?.find((person) => person.id === id)?.name ?? who;
  };
  return (
    <View title={words.value.sections.events} intro={texts.intro} loaded={loaded}>
      {({ items, hasMore }) => (
        <Panel title={words.value.sections.events} isWide>
          <label class="tick">
            <input
              type="checkbox"
              checked={isShort}
              onChange={({ currentTarget: { checked } }) => onShorten(checked)}
            />
            {texts.onlyRefused}
          </label>
          <Table
            none={texts.none}
            label={words.value.sections.events}
            columns={[texts.when, texts.what, texts.result, texts.who, texts.address]}
            rows={items}
            keyOf={({ id }) => id}
            cells={({ createdAt, event, result, who, address }) => [
              <span key="when" title={moment(createdAt)}>
                {ago(createdAt)}
              </span>,
              nameIn(texts.names, event),
              <State key="result" kind={KINDS[result]} text={texts.results[result]} />,
              who === undefined ? <span class="quiet">{texts.nobody}</span> : nameOf(who),
              address,
            ]}
          />
          <ShowMore hasMore={hasMore} onMore={loaded.showMore} />
        </Panel>
      )}
    </View>
  );
}
