import { BASE } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { format } from './format.ts';
import { useLoaded } from './loaded.ts';
import { BACKUP_PATH, operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Panel, View } from './view.tsx';

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
      {({ mode, storage: { freeBytes } }) => (
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
      )}
    </View>
  );
}
