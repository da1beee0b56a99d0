import { type Signal, useSignal } from '@preact/signals';
import type { CatalogueImport, TablePreview } from 'larder-client';
import { BASE, larder } from '../larder.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { energyText } from '../parts/measures.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { numbers, texts } from '../texts/texts.ts';
import { ReportParts } from './import-report.tsx';
import { importStreamPath, operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { type Sent, upload } from './upload.ts';
import { Table, UploadMeter } from './view.tsx';

const BASES = ['100g', '100ml', 'serving'] as const;

/** Imports a table of foods: first a preview, which stores nothing, then the import of the same file. */
export function TableImport({ onStarted }: { readonly onStarted: () => Promise<void> }) {
  const all = words.value;
  const file = useSignal<File | undefined>(undefined);
  const per = useSignal('');
  const map = useSignal<string | undefined>(undefined);
  const previewed = useSignal<CatalogueImport | undefined>(undefined);
  const progress = useSignal<Sent | undefined>(undefined);
  const isBusy = useSignal(false);
  const problem = useSignal('');
  const start = async (chosen: File, preview: boolean) => {
    const basis = BASES.find((each) => each === per.value);
    const { id, uploadUrl, partBytes } = await operator.startImport({
      source: 'table',
      file: { name: chosen.name, bytes: chosen.size },
      table: { ...(basis && { per: basis }), ...(map.value !== undefined && { map: map.value }) },
      ...(preview && { preview }),
    });
    await upload(chosen, uploadUrl!, partBytes!, (sent) => setTo(progress, { sent, total: chosen.size }));
    return id;
  };
  const run = async (preview: boolean) => {
    const chosen = file.value;
    if (chosen === undefined) return;
    isBusy.value = true;
    problem.value = '';
    try {
      const id = await start(chosen, preview);
      if (preview) {
        const ended = await endOf(id);
        previewed.value = ended.tablePreview === undefined ? undefined : ended;
        if (map.value !== undefined) map.value = ended.tablePreview?.map ?? map.value;
        problem.value = ended.error?.message ?? '';
      } else await onStarted();
    } catch (error) {
      problem.value = problemOf(error);
    }
    progress.value = undefined;
    isBusy.value = false;
  };
  const { tablePreview, report } = previewed.value ?? {};
  // A map that was changed since is shown first.
  const isShown = tablePreview !== undefined && (map.value ?? tablePreview.map) === tablePreview.map;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void run(true);
      }}
    >
      <div class="pair">
        <label>
          {all.chooseFile}
          <input
            type="file"
            required
            accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson,.gz"
            onChange={({ currentTarget }) => {
              file.value = currentTarget.files?.[0];
              map.value = undefined;
              previewed.value = undefined;
              problem.value = '';
            }}
          />
        </label>
        <label>
          {all.amounts}
          <select
            value={per.value}
            onChange={({ currentTarget }) => {
              per.value = currentTarget.value;
              previewed.value = undefined;
            }}
          >
            <option value="">{all.asTableSays}</option>
            {BASES.map((each) => (
              <option key={each} value={each}>
                {all.bases[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {tablePreview !== undefined && (
        <>
          <TablePreviewView preview={tablePreview} map={map} />
          {report !== undefined && <ReportParts report={report} />}
        </>
      )}
      <UploadMeter sent={progress.value} />
      <Problem text={problem.value} />
      <div class="row-actions">
        <BusyButton type="submit" class={isShown ? '' : 'primary'} isBusy={isBusy.value}>
          {all.showPreview}
        </BusyButton>
        {isShown && (
          <BusyButton type="button" class="primary" isBusy={isBusy.value} onClick={() => void run(false)}>
            {all.start}
          </BusyButton>
        )}
      </div>
    </form>
  );
}

/** Waits for the end of a preview. */
async function endOf(id: string): Promise<CatalogueImport> {
  const address = new URL(importStreamPath(id).slice(1), BASE);
  // The service closes the stream when the preview has ended.
  await (await larder.request(address.href, {})).text();
  return operator.import(id);
}

const AMOUNTS = ['energy', 'protein', 'fat', 'carbohydrates'] as const;

interface TablePreviewProps {
  readonly preview: TablePreview;
  /** The map as it was changed here. */
  readonly map: Signal<string | undefined>;
}

/** How the columns of a table are read, and its first foods. */
function TablePreviewView({ preview, map }: TablePreviewProps) {
  const all = words.value;
  const { name, nutrients } = texts.value;
  const { mapIs, per, columns, unused, notes, foods } = preview;
  return (
    <section class="table-preview" aria-label={all.preview}>
      <h3>{all.preview}</h3>
      <p>
        {all.readBy[mapIs]} {all.amountsPer(all.bases[per])}
      </p>
      {unused.length > 0 && <p class="quiet">{all.notRead(unused.join(', '))}</p>}
      {notes.map((note) => (
        <p key={note} class="quiet" lang="en">
          {note}
        </p>
      ))}
      <Table
        label={all.firstFoods}
        columns={[name, nutrients.calories, nutrients.protein, nutrients.fat, nutrients.carbs]}
        rows={foods}
        keyOf={(food) => `${food.name} ${food.brand} ${food.barcode}`}
        cells={(food) => [
          <span key="name">
            <strong>{food.name}</strong>{' '}
            <span class="quiet small">
              {[food.brand, food.barcode, food.serving].filter((part) => part !== undefined).join(' · ')}
            </span>
          </span>,
          ...AMOUNTS.map((key) => amountText(key, food.nutrients[key])),
        ]}
      />
      <p class="quiet note">{all.amountsOf100}</p>
      <details class="fold">
        <summary>
          <span>{all.columnsRead}</span>
        </summary>
        <Table
          label={all.columnsRead}
          columns={[all.column, all.readAs]}
          rows={columns}
          keyOf={({ heading }) => heading}
          cells={({ heading, meaning }) => [heading, <code key="meaning">{meaning}</code>]}
        />
        <label>
          {all.tableMap}
          <textarea
            name="map"
            rows={8}
            spellcheck={false}
            value={map.value ?? preview.map}
            onInput={({ currentTarget }) => setTo(map, currentTarget.value)}
          />
        </label>
        <p class="quiet note">{all.tableMapText}</p>
      </details>
    </section>
  );
}

function amountText(key: (typeof AMOUNTS)[number], amount: number | undefined): string {
  if (amount === undefined) return '–';
  return key === 'energy' ? energyText(amount) : `${numbers.value.precise(amount)} g`;
}
