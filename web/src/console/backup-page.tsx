import type { OperatorStatus } from 'larder-client';
import { BASE } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { format } from './format.ts';
import { useLoaded } from './loaded.ts';
import { BACKUP_PATH, operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Facts, Panel, State, View } from './view.tsx';

/** A download shows no dialog, so the person is asked before it begins. */
async function takeBackup(): Promise<void> {
  try {
    if (await operator.confirmForBackup()) location.assign(new URL(BACKUP_PATH.slice(1), BASE));
  } catch (error) {
    tell(problemOf(error));
  }
}

/** One file of everything that cannot be made again. */
export function BackupPage() {
  const loaded = useLoaded(operator.status);
  const { sections, backupText, backupSecret, download, restore, clusterBackup, free } = words.value;
  return (
    <View title={sections.backup} loaded={loaded}>
      {({ mode, backups, storage: { freeBytes } }) => (
        <>
          <Schedule backups={backups} mode={mode} />
          <Panel title={sections.backup} isWide>
            {mode === 'cluster' ? (
              <p>{clusterBackup}</p>
            ) : (
              <>
                <p>{backupText}</p>
                <p>
                  <button type="button" class="primary" onClick={() => void takeBackup()}>
                    {download}
                  </button>
                </p>
                <p>{backupSecret}</p>
                {freeBytes !== undefined && (
                  <p class="quiet note">
                    {free}: {format.value.bytes(freeBytes)}
                  </p>
                )}
                <p>{restore}</p>
                <pre>larder restore larder-backup.db</pre>
              </>
            )}
          </Panel>
        </>
      )}
    </View>
  );
}

/** Backups on a schedule: the last, the next, and how to bring one back; or how to have some. */
export function Schedule({ backups, mode }: Pick<OperatorStatus, 'backups' | 'mode'>) {
  const all = words.value;
  const { moment, ago, bytes, count } = format.value;
  if (backups === undefined && mode === 'cluster') return null;
  if (backups === undefined)
    return (
      <Panel title={all.scheduledBackups} isWide>
        <p>{all.noSchedule}</p>
        <pre>LARDER_BACKUP_TO=/mnt/backups</pre>
      </Panel>
    );
  const { newest, nextAt, keep, everyHours, problem } = backups;
  const isLate =
    newest !== undefined && Date.now() - Date.parse(newest.createdAt) > 2 * everyHours * 3_600_000;
  return (
    <Panel title={all.scheduledBackups} isWide>
      <p class="verdict">
        <State
          kind={problem === undefined && !isLate ? 'good' : 'bad'}
          text={problem ?? (isLate ? all.backupLate : all.good)}
        />
      </p>
      <Facts
        facts={[
          [
            all.lastBackup,
            newest === undefined
              ? all.none
              : `${ago(newest.createdAt)} · ${moment(newest.createdAt)} · ${bytes(newest.bytes)}`,
          ],
          [all.nextBackup, nextAt === undefined ? all.unknown : moment(nextAt)],
          [all.keptBackups, all.of(count(backups.count), count(keep))],
        ]}
      />
      {newest !== undefined && (
        <>
          <p>{all.restoreNewest}</p>
          <pre>larder restore {newest.name}</pre>
        </>
      )}
    </Panel>
  );
}
