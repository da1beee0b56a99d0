import type { OperatorStatus } from 'larder-client';
import type { ComponentChildren } from 'preact';
import { format } from './format.ts';
import { useLoaded } from './loaded.ts';
import { type ImportReport, operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Facts, nameIn, Panel, State, View } from './view.tsx';

const REFRESH_S = 10;

/** Whether all is well, and what fills up. */
export function OverviewPage() {
  const loaded = useLoaded(operator.status, REFRESH_S);
  return (
    <View title={words.value.sections.overview} loaded={loaded}>
      {(status) => (
        <>
          <Health status={status} />
          <Service status={status} />
          <Upkeep status={status} />
          <Storage status={status} />
          <Quotas status={status} />
          <Refused status={status} />
          <Warnings status={status} />
        </>
      )}
    </View>
  );
}

interface StatusProps {
  readonly status: OperatorStatus;
}

function Health({ status: { health } }: StatusProps) {
  const { health: title, ready, notReady, parts, good, bad } = words.value;
  const isReady = health.every(({ ok }) => ok);
  return (
    <Panel title={title}>
      <p class="verdict">
        <State kind={isReady ? 'good' : 'bad'} text={isReady ? ready : notReady} />
      </p>
      <Facts
        facts={health.map(({ part, ok, message }) => [
          nameIn(parts, part),
          <State key={part} kind={ok ? 'good' : 'bad'} text={message ?? (ok ? good : bad)} />,
        ])}
      />
    </Panel>
  );
}

function Service({ status: { version, mode, startedAt, threads, memoryBytes } }: StatusProps) {
  const all = words.value;
  const { count, bytes, duration } = format.value;
  const seconds = (Date.now() - Date.parse(startedAt)) / 1_000;
  return (
    <Panel title={all.service}>
      <Facts
        facts={[
          [all.version, version],
          [all.mode, all.modes[mode]],
          [all.uptime, duration(seconds)],
          [all.threads, count(threads)],
          [all.memory, bytes(memoryBytes)],
        ]}
      />
    </Panel>
  );
}

/** The last backup and the last import, with what went wrong. */
function Upkeep({ status: { backups } }: StatusProps) {
  const all = words.value;
  const { value: imports } = useLoaded(operator.imports);
  const { ago, bytes, count } = format.value;
  const [last] = imports ?? [];
  const newest = backups?.newest;
  const report: ImportReport | undefined = last?.report;
  const rows = report?.read ?? last?.progress.rows;
  const facts: (readonly [string, ComponentChildren])[] = [];
  if (backups !== undefined)
    facts.push([
      all.lastBackup,
      newest === undefined ? all.none : `${ago(newest.createdAt)} · ${bytes(newest.bytes)}`,
    ]);
  if (backups?.nextAt !== undefined) facts.push([all.nextBackup, format.value.moment(backups.nextAt)]);
  if (backups?.problem !== undefined)
    facts.push([all.backupFailed, <State key="problem" kind="bad" text={backups.problem} />]);
  facts.push([
    all.lastImport,
    last === undefined
      ? all.none
      : [nameIn(all.origins, last.source), ago(last.createdAt), rows !== undefined && count(rows)]
          .filter((part) => part !== false)
          .join(' · '),
  ]);
  if (last !== undefined)
    facts.push([
      all.importState,
      <State
        key="state"
        kind={last.status === 'failed' ? 'bad' : last.status === 'completed' ? 'good' : 'idle'}
        text={last.error?.message ?? all.states[last.status]}
      />,
    ]);
  return (
    <Panel title={all.upkeep}>
      <Facts facts={facts} />
    </Panel>
  );
}

function Storage({ status: { storage } }: StatusProps) {
  const { storage: title, dataFolder, catalogueFiles, images, free, reserve } = words.value;
  const { dataBytes, catalogueBytes, imageBytes, freeBytes, reserveBytes } = storage;
  const sizes: readonly (readonly [string, number | undefined])[] = [
    [dataFolder, dataBytes],
    [catalogueFiles, catalogueBytes],
    [images, imageBytes],
    [free, freeBytes],
    [reserve, reserveBytes],
  ];
  const facts = sizes.flatMap(([name, size]): (readonly [string, ComponentChildren])[] =>
    size === undefined ? [] : [[name, format.value.bytes(size)]],
  );
  return (
    <Panel title={title}>
      <Facts facts={facts} />
    </Panel>
  );
}

function Quotas({ status: { quotas } }: StatusProps) {
  const { quotas: title, quotaNames, perTenant } = words.value;
  const show = (name: string, value: number) =>
    format.value[name.endsWith('Bytes') ? 'bytes' : 'count'](value);
  if (quotas.length === 0) return null;
  return (
    <Panel title={title}>
      <p class="quiet note">{perTenant}</p>
      <Facts facts={quotas.map(({ name, limit }) => [nameIn(quotaNames, name), show(name, limit)])} />
    </Panel>
  );
}

function Refused({ status: { refused } }: StatusProps) {
  const { refused: title, refusedText, noneRefused } = words.value;
  const counts = Object.entries(refused).filter(([, count]) => count > 0);
  return (
    <Panel title={title}>
      <p class="quiet note">{counts.length === 0 ? noneRefused : refusedText}</p>
      <Facts
        facts={counts
          .toSorted(([, a], [, b]) => b - a)
          .map(([reason, count]) => [reason, format.value.count(count)])}
      />
    </Panel>
  );
}

function Warnings({ status: { warnings } }: StatusProps) {
  const { warnings: title, noWarnings } = words.value;
  return (
    <Panel title={title} isWide>
      {warnings.length === 0 && <p class="quiet">{noWarnings}</p>}
      <ul class="log">
        {warnings.map(({ loggedAt, level, message }) => (
          <li key={`${loggedAt} ${message}`} class={level}>
            <time dateTime={loggedAt} title={format.value.moment(loggedAt)}>
              {format.value.ago(loggedAt)}
            </time>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
