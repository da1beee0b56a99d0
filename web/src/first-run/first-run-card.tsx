import '../styles/first-run.css';
import { withTexts } from '../parts/later.tsx';
import { problemOf } from '../parts/problem.ts';
import { showSheet } from '../parts/sheet-host.tsx';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { endFirstRun } from './offer.ts';

const loadSheet = withTexts(async () => (await import('./first-run-sheet.tsx')).FirstRunSheet, 'views');

/** Offers the questions of the first start above the day, which nobody has to answer. */
export function FirstRunCard() {
  const { firstRun: all } = texts.value;
  return (
    <section class="first-run" aria-label={all.title}>
      <p>{all.offer}</p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => showSheet(loadSheet, {})}>
          {all.begin}
        </button>
        <button
          type="button"
          class="link"
          onClick={() => void endFirstRun().catch((error: unknown) => tell(problemOf(error)))}
        >
          {all.skipAll}
        </button>
      </div>
    </section>
  );
}
