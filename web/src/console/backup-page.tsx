import { BASE } from '../larder.ts';
import { format } from './format.ts';
import { useLoaded } from './loaded.ts';
import { BACKUP_PATH, operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { Panel, View } from './view.tsx';

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
                <a class="button primary" href={new URL(BACKUP_PATH.slice(1), BASE).href} download="">
                  {download}
                </a>
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
