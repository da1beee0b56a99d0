import { useSignal } from '@preact/signals';
import { type ImportQuery, type ImportResult, LarderError } from 'larder-client';
import { useRef } from 'preact/hooks';
import { person } from '../account/session.ts';
import { today } from '../days.ts';
import { larder, pathTo } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { preferences } from '../preferences.ts';
import { texts } from '../texts/texts.ts';
import { Card } from './card.tsx';
import { Choice } from './display-card.tsx';
import { ImportReport } from './import-report.tsx';

/** That of the service. */
const MAX_BYTES = 12 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
const AUTO = 'auto';
const ARCHIVE_START = 'PK\u0003\u0004';

/** Everything of the person as one file, and the diary as a table. */
export function ExportCard() {
  const { moving: all } = texts.value;
  return (
    <Card title={all.export} text={all.exportText}>
      <ExportLinks />
    </Card>
  );
}

export function ExportLinks() {
  const { moving: all } = texts.value;
  const path = pathTo(`v1/users/${person.value?.id}`);
  return (
    <>
      <a class="button" href={`${path}/export`} download={`larder-${today()}.jsonl`}>
        {all.everything}
      </a>
      <a class="button" href={`${path}/diary/export?format=csv`} download={`diary-${today()}.csv`}>
        {all.diaryTable}
      </a>
    </>
  );
}

type What = 'diary' | 'foods';

/** Reads a file of Larder or of another app: first a preview, which writes nothing, then the import with its report. */
export function ImportCard() {
  const { moving: all } = texts.value;
  const what = useSignal<What>('diary');
  const dateOrder = useSignal<string>(AUTO);
  const per = useSignal<string>(AUTO);
  const result = useSignal<ImportResult | undefined>(undefined);
  const file = useRef<File | undefined>(undefined);
  const chosenName = useSignal('');
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const tooLarge = useSignal(false);
  /** What is chosen while a file is read is read instead. */
  const turn = useRef(0);
  const read = async (preview: boolean) => {
    const chosen = file.current;
    if (chosen === undefined) return;
    const own = ++turn.current;
    isBusy.value = true;
    // During the import its preview stays, with the button that has the focus.
    if (preview) result.value = undefined;
    problem.value = '';
    try {
      const answer = await send(chosen, preview);
      if (own === turn.current) result.value = answer;
    } catch (error) {
      if (own === turn.current) problem.value = wrongFile(error) ?? problemOf(error);
    }
    if (own === turn.current) isBusy.value = false;
  };
  const send = async (chosen: File, preview: boolean) => {
    const userId = person.peek()!.id;
    const common = { preview } as const;
    // The bytes as they are: their encoding is recognized by the service.
    const bytes = new Blob([await chosen.arrayBuffer()]);
    if ((await bytes.slice(0, ARCHIVE_START.length).text()) === ARCHIVE_START) throw new ArchiveError();
    const options = { timeoutMs: 120_000 };
    if (what.peek() === 'foods') {
      const stated = per.peek() === AUTO ? {} : { per: per.peek() as '100g' | '100ml' | 'serving' };
      return await larder.foods.import(bytes, { ...common, ...stated, userId }, options);
    }
    const order = dateOrder.peek() === AUTO ? {} : { dateOrder: dateOrder.peek() };
    const timeZone = preferences.peek().timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    const query = { ...common, timeZone, ...order } as ImportQuery;
    return await larder.user(userId).import(bytes, query, options);
  };
  const choose = (chosen: File | undefined) => {
    file.current = chosen;
    chosenName.value = chosen?.name ?? '';
    result.value = undefined;
    tooLarge.value = chosen !== undefined && chosen.size > MAX_BYTES;
    problem.value = '';
    if (chosen !== undefined && !tooLarge.peek()) void read(true);
  };
  const again = () => {
    if (file.current !== undefined && !tooLarge.peek()) void read(true);
  };
  return (
    <Card title={all.import} text={all.importText}>
      <Choice
        label={all.what}
        value={what.value}
        options={[
          ['diary', all.diary],
          ['foods', all.foods],
        ]}
        onChoose={(value) => {
          what.value = value as What;
          choose(undefined);
        }}
      />
      <label class="file">
        {all.file}
        <input
          key={what.value}
          type="file"
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv"
          onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
        />
      </label>
      {tooLarge.value && <p class="problem">{all.tooLarge(MAX_BYTES / MEGABYTE)}</p>}
      {what.value === 'diary' ? (
        <Choice
          label={all.dateOrder}
          value={dateOrder.value}
          options={[
            [AUTO, all.automatic],
            ['day-first', all.dayFirst],
            ['month-first', all.monthFirst],
          ]}
          onChoose={(value) => {
            dateOrder.value = value;
            again();
          }}
        />
      ) : (
        <Choice
          label={all.per}
          value={per.value}
          options={[[AUTO, all.automatic], ...Object.entries(texts.value.foodForm.bases)]}
          onChoose={(value) => {
            per.value = value;
            again();
          }}
        />
      )}
      <p role="status" class="quiet">
        {isBusy.value && all.reading(chosenName.value)}
      </p>
      <Problem text={problem.value} />
      {result.value !== undefined && (
        <ImportReport result={result.value} isBusy={isBusy.value} onImport={() => void read(false)} />
      )}
    </Card>
  );
}

/** Apps send archives, but a file of them is read. */
class ArchiveError extends Error {}

/** What is wrong with a file; undefined for another error. Where the service says more, in English, that follows. */
function wrongFile(error: unknown): string | undefined {
  const { isArchive, unreadable, whichOrder } = texts.peek().moving;
  if (error instanceof ArchiveError) return isArchive;
  if (!(error instanceof LarderError)) return undefined;
  if (error.code !== 'invalid_request' && error.code !== 'invalid_query') return undefined;
  const { parameter } = error.details as { readonly parameter?: string };
  return parameter === 'dateOrder' ? whichOrder : `${unreadable} (${error.message})`;
}
