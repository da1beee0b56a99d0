import { format } from './format.ts';
import { useLoaded } from './loaded.ts';
import { operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Facts, nameIn, Panel, Table, View } from './view.tsx';

const REFRESH_S = 5;

/** Photos that wait, and those that could not be read. */
export function ScansPage() {
  const loaded = useLoaded(operator.scans, REFRESH_S);
  const all = words.value;
  const { count, ago, moment } = format.value;
  return (
    <View title={all.sections.scans} loaded={loaded}>
      {({ queue, oldestQueuedAt, failures }) => (
        <>
          <Panel title={all.queue}>
            <Facts
              facts={[
                ...Object.entries(queue).map(
                  ([state, scans]) => [nameIn(all.scanStates, state), count(scans)] as const,
                ),
                [all.oldest, oldestQueuedAt === undefined ? all.nothingWaits : ago(oldestQueuedAt)],
              ]}
            />
          </Panel>
          <Panel title={all.failures} isWide>
            <Table
              none={all.noFailures}
              label={all.failures}
              columns={[all.when, all.reason, all.tenant]}
              rows={failures}
              keyOf={({ id }) => id}
              cells={({ failedAt, code, message, tenant }) => [
                <span key="at" title={moment(failedAt)}>
                  {ago(failedAt)}
                </span>,
                <span key="why" title={code}>
                  {message}
                </span>,
                tenant,
              ]}
            />
          </Panel>
        </>
      )}
    </View>
  );
}
