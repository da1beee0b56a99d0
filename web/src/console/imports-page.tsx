import type { CatalogueImport } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { format } from './format.ts';
import { ImportForm } from './import-form.tsx';
import { ImportReportView } from './import-report.tsx';
import { useLoaded } from './loaded.ts';
import { operator } from './operator.ts';
import { RunningImport } from './running-import.tsx';
import { words } from './texts/texts.ts';
import { nameIn, Panel, State, View } from './view.tsx';

const KINDS = {
  waiting: 'busy',
  running: 'busy',
  completed: 'good',
  failed: 'bad',
  cancelled: 'idle',
} as const;

/** Starts imports, follows the one that runs, and keeps the reports of the last ones. */
export function ImportsPage() {
  const loaded = useLoaded(operator.imports);
  const { sections, lastImports, noImports } = words.value;
  // Uploads of another tab, and those of the command line, are seen when the view is opened again.
  useEffect(() => {
    const reload = () => void loaded.reload();
    addEventListener('focus', reload);
    return () => removeEventListener('focus', reload);
  }, []);
  return (
    <View title={sections.imports} loaded={loaded}>
      {(imports) => {
        const running = imports.find(isUnfinished);
        const finished = imports.filter((each) => !isUnfinished(each));
        return (
          <>
            {running === undefined ? (
              <ImportForm onStarted={loaded.reload} />
            ) : (
              <RunningImport key={running.id} started={running} onEnd={loaded.reload} />
            )}
            <Panel title={lastImports} isWide>
              {finished.length === 0 && <p class="quiet">{noImports}</p>}
              {finished.map((each, at) => (
                <FinishedImport key={each.id} finished={each} isOpen={at === 0} />
              ))}
            </Panel>
          </>
        );
      }}
    </View>
  );
}

function FinishedImport({
  finished,
  isOpen,
}: {
  readonly finished: CatalogueImport;
  readonly isOpen: boolean;
}) {
  const { states, origins } = words.value;
  const { source, status, createdAt, error, report } = finished;
  return (
    <details class="fold" open={isOpen}>
      <summary>
        <span>
          <strong>{nameIn(origins, source)}</strong>{' '}
          <span class="quiet" title={format.value.moment(createdAt)}>
            {format.value.ago(createdAt)}
          </span>
        </span>
        <State kind={KINDS[status]} text={states[status]} />
      </summary>
      {error !== undefined && <p class="problem">{error.message}</p>}
      {report !== undefined && <ImportReportView report={report} />}
    </details>
  );
}

function isUnfinished({ status }: CatalogueImport): boolean {
  return status === 'waiting' || status === 'running';
}
