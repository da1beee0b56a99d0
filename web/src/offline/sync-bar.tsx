import { signal } from '@preact/signals';
import { lazy } from 'preact-iso';
import { withTexts } from '../parts/later.tsx';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { isReached, setAside, writes } from './device.ts';
import { KeptTexts } from './kept-texts.tsx';
import { isNewer, showNewer } from './updates.ts';

// It names goals as the settings do.
const SetAsideDialog = lazy(
  withTexts(async () => (await import('./set-aside-dialog.tsx')).SetAsideDialog, 'views'),
);

const isOpen = signal(false);

/** Says that the service cannot be reached, what waits for it, and what a person has to decide. Nothing while all is well. */
export function SyncBar() {
  const { offline } = texts.value;
  const aside = setAside.value.length;
  const waiting = writes.value.length - aside;
  return (
    <div class="sync-bar">
      <p role="status" aria-label={offline.sign}>
        {!isReached.value && (
          <>
            <strong>{offline.sign}</strong>{' '}
            <span>{waiting > 0 ? offline.waiting(waiting) : offline.signText}</span>
          </>
        )}
      </p>
      {aside > 0 && (
        <p role="alert">
          <span>{offline.setAside(aside)}</span>{' '}
          <button type="button" class="link" onClick={() => setTo(isOpen, true)}>
            {offline.decide}
          </button>
        </p>
      )}
      <KeptTexts />
      {isNewer.value && (
        <p role="status">
          <span>{offline.newVersion}</span>{' '}
          <button type="button" class="link" onClick={showNewer}>
            {offline.reload}
          </button>
        </p>
      )}
      {isOpen.value && <SetAsideDialog onClose={() => setTo(isOpen, false)} />}
    </div>
  );
}
