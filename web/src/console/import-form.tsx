import { useSignal } from '@preact/signals';
import type { CatalogueImport } from 'larder-client';
import { ownCountry, sliceOf } from '../foods/country-choice.tsx';
import { factsOf } from '../foods/facts-choice.tsx';
import { BusyButton } from '../parts/busy-button.tsx';
import { Later, withTexts } from '../parts/later.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { operator } from './operator.ts';
import { TableImport } from './table-import.tsx';
import { words } from './texts/texts.ts';
import { type Sent, upload } from './upload.ts';
import { Panel, UploadMeter } from './view.tsx';

const loadCountryChoice = withTexts(
  async () => (await import('../foods/country-choice.tsx')).CountryChoice,
  'views',
);
const loadFactsChoice = withTexts(
  async () => (await import('../foods/facts-choice.tsx')).FactsChoice,
  'views',
);

const SOURCES = ['off', 'update', 'fdc', 'file', 'table'] as const;

/** Chooses what to import; a file is uploaded first. */
export function ImportForm({ onStarted }: { readonly onStarted: () => Promise<void> }) {
  const all = words.value;
  const chosen = useSignal<(typeof SOURCES)[number]>('off');
  const problem = useSignal('');
  const progress = useSignal<Sent | undefined>(undefined);
  const isSending = useSignal(false);
  const ofDownload = useSignal(ownCountry());
  // A file may be a part already, or not tell where its products are sold.
  const ofFile = useSignal<readonly string[]>([]);
  const keepsFacts = useSignal(true);
  const countries = chosen.value === 'file' ? ofFile : ofDownload;
  const fileSource = useSignal<CatalogueImport['source']>('off');
  const isOff = chosen.value === 'off' || (chosen.value === 'file' && fileSource.value === 'off');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    isSending.value = true;
    problem.value = '';
    try {
      const slice = isOff ? sliceOf(countries.value) : {};
      const facts = factsOf(keepsFacts.value);
      const file = fields.get('file');
      if (file instanceof File) {
        const source = fileSource.value;
        const { uploadUrl, partBytes } = await operator.startImport({
          source,
          ...facts,
          file: { name: file.name, bytes: file.size },
          ...slice,
        });
        await upload(file, uploadUrl!, partBytes!, (sent) => setTo(progress, { sent, total: file.size }));
      } else {
        const what = chosen.value === 'fdc' ? 'fdc' : 'off';
        await operator.startImport({
          source: what,
          ...facts,
          ...(chosen.value === 'update' ? { update: true } : slice),
        });
      }
      await onStarted();
    } catch (error) {
      problem.value = problemOf(error);
    }
    progress.value = undefined;
    isSending.value = false;
  };
  const names = { ...all.origins, table: all.table, update: all.update, file: all.file };
  const hints = {
    off: all.offText,
    update: all.updateText,
    fdc: all.fdcText,
    file: all.fileText,
    table: all.tableText,
  };
  return (
    <Panel title={all.importTitle} isWide>
      <div class="form">
        <fieldset class="options" aria-label={all.source}>
          {SOURCES.map((source) => (
            <label key={source} class="option">
              <input
                type="radio"
                name="from"
                checked={chosen.value === source}
                onChange={() => setTo(chosen, source)}
              />
              <span>
                <strong>{names[source]}</strong>
                <span class="quiet">{hints[source]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {chosen.value === 'table' ? (
          <TableImport onStarted={onStarted} />
        ) : (
          <form class="form" onSubmit={submit}>
            {chosen.value === 'file' && (
              <div class="pair">
                <label>
                  {all.chooseFile}
                  <input name="file" type="file" required accept=".jsonl,.csv,.tsv,.json,.parquet,.zip,.gz" />
                </label>
                <label>
                  {all.fileSource}
                  <select
                    name="source"
                    value={fileSource.value}
                    onChange={({ currentTarget }) =>
                      setTo(fileSource, currentTarget.value as CatalogueImport['source'])
                    }
                  >
                    <option value="off">{all.origins.off}</option>
                    <option value="fdc">{all.origins.fdc}</option>
                  </select>
                </label>
              </div>
            )}
            {isOff && <Later load={loadCountryChoice} key={chosen.value} props={{ countries }} />}
            <Later load={loadFactsChoice} props={{ keeps: keepsFacts }} />
            <UploadMeter sent={progress.value} />
            <Problem text={problem.value} />
            <BusyButton type="submit" class="primary" isBusy={isSending.value}>
              {all.start}
            </BusyButton>
          </form>
        )}
      </div>
    </Panel>
  );
}
