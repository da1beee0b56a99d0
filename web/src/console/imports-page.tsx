import { useEffect } from 'preact/hooks';
import { format } from './format.ts';
import { ImportForm } from './import-form.tsx';
import { useLoaded } from './loaded.ts';
import { type Import, operator } from './operator.ts';
import { RunningImport } from './running-import.tsx';
import { words } from './texts/texts.ts';
import { Facts, nameIn, Panel, State, View } from './view.tsx';

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

function FinishedImport({ finished, isOpen }: { readonly finished: Import; readonly isOpen: boolean }) {
  const { states, origins } = words.value;
  const { source, state, createdAt, error, report } = finished;
  return (
    <details class="fold" open={isOpen}>
      <summary>
        <span>
          <strong>{nameIn(origins, source)}</strong>{' '}
          <span class="quiet" title={format.value.moment(createdAt)}>
            {format.value.ago(createdAt)}
          </span>
        </span>
        <State kind={KINDS[state]} text={states[state]} />
      </summary>
      {error !== undefined && <p class="problem">{error.message}</p>}
      {report !== undefined && <Report report={report} />}
    </details>
  );
}

/** The numbers of a report; parts of it with names of their own are shown below each other. */
function Report({ report }: { readonly report: Readonly<Record<string, unknown>> }) {
  const { report: title, reportNames } = words.value;
  const entries = Object.entries(report).filter(([, value]) => value !== null && value !== undefined);
  const plain = entries.filter(([, value]) => typeof value !== 'object');
  return (
    <section aria-label={title}>
      <Facts facts={plain.map(([name, value]) => [nameIn(reportNames, name), textOf(value)])} />
      {entries
        .filter(([, value]) => typeof value === 'object' && Object.keys(value as object).length > 0)
        .map(([name, value]) => (
          <div key={name} class="part">
            <h3>{nameIn(reportNames, name)}</h3>
            <Facts facts={Object.entries(value as object).map(([key, each]) => [key, textOf(each)])} />
          </div>
        ))}
    </section>
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return format.value.count(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isUnfinished({ state }: Import): boolean {
  return state === 'waiting' || state === 'running';
}
