import { useSignal } from '@preact/signals';
import type { CatalogueImport } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { BASE } from '../larder.ts';
import { askFirst } from './dialogs.tsx';
import { format } from './format.ts';
import { ImportForm } from './import-form.tsx';
import { ImportReportView } from './import-report.tsx';
import { useLoaded } from './loaded.ts';
import { importStreamPath, operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Facts, Meter, nameIn, Panel, State, View } from './view.tsx';

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

interface RunningImportProps {
  readonly started: CatalogueImport;
  readonly onEnd: () => Promise<void>;
}

/** How far the import is, as the service tells it. */
function RunningImport({ started, onEnd }: RunningImportProps) {
  const latest = useSignal(started);
  useEffect(() => {
    const stream = new EventSource(new URL(importStreamPath(started.id).slice(1), BASE));
    const show = ({ data }: MessageEvent<string>) => {
      latest.value = JSON.parse(data);
      if (latest.value.status === 'running' || latest.value.status === 'waiting') return;
      stream.close();
      void onEnd();
    };
    stream.addEventListener('message', show);
    return () => stream.close();
  }, [started.id]);
  const all = words.value;
  const { count, bytes, duration } = format.value;
  const { source, status, progress } = latest.value;
  const { phase, bytes: read = 0, totalBytes, rows, rowsPerSecond } = progress;
  const cancel = () => {
    const { cancelTitle, cancelText, cancelImport, keepRunning } = words.value;
    askFirst({
      title: cancelTitle,
      text: cancelText,
      yes: cancelImport,
      no: keepRunning,
      isDanger: true,
      act: async () => {
        await operator.cancelImport(started.id);
        await onEnd();
      },
    });
  };
  const seconds = (Date.now() - Date.parse(started.createdAt)) / 1_000;
  const left = totalBytes === undefined || read === 0 ? undefined : (seconds * (totalBytes - read)) / read;
  return (
    <Panel title={all.running} isWide>
      <p class="verdict">
        <strong>{nameIn(all.origins, source)}</strong>{' '}
        <span class="quiet">{phase ?? all.states[status]}</span>
      </p>
      {totalBytes !== undefined && (
        <Meter
          label={all.downloaded}
          value={read}
          max={totalBytes}
          text={all.of(bytes(read), bytes(totalBytes))}
        />
      )}
      <Facts
        facts={[
          ...(totalBytes === undefined ? [[all.downloaded, bytes(read)] as const] : []),
          [all.rows, rows === undefined ? '…' : count(rows)],
          [all.speed, rowsPerSecond === undefined ? '…' : all.perSecond(count(rowsPerSecond))],
        ]}
      />
      {left !== undefined && left > 1 && <p class="quiet">{all.left(duration(left))}</p>}
      <p class="quiet note">{all.busy}</p>
      <button type="button" class="danger" onClick={cancel}>
        {all.cancelImport}
      </button>
    </Panel>
  );
}
