import type { ComponentChildren } from 'preact';
import { Problem } from '../parts/problem-line.tsx';
import { format } from './format.ts';
import type { Loaded } from './loaded.ts';
import { words } from './texts/texts.ts';
import type { Sent } from './upload.ts';

interface ViewProps<Value> {
  readonly title: string;
  readonly intro?: string;
  readonly loaded: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** A section of the console: what was read for it, or why that failed. */
export function View<Value>({ title, intro, loaded, children }: ViewProps<Value>) {
  const { value, problem, reload } = loaded;
  return (
    <>
      <h1 class="title">{title}</h1>
      {intro !== undefined && <p class="intro quiet">{intro}</p>}
      <Problem text={problem} onRetry={reload} />
      <div class="panels" aria-busy={value === undefined && problem === ''}>
        {value !== undefined && children(value)}
      </div>
    </>
  );
}

interface PanelProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

export function Panel({ title, isWide = false, children }: PanelProps) {
  return (
    <section class={isWide ? 'panel wide' : 'panel'} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Names with their values, one a line. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How much of a file was uploaded; nothing before it begins. */
export function UploadMeter({ sent: at }: { readonly sent: Sent | undefined }) {
  if (at === undefined) return null;
  const { of, uploading } = words.value;
  const { bytes } = format.value;
  const text = of(bytes(at.sent), bytes(at.total));
  return <Meter label={uploading} value={at.sent} max={at.total} text={text} />;
}

/** A state in a word, with a sign that does not depend on colour. */
export function State({
  kind,
  text,
}: {
  readonly kind: 'good' | 'bad' | 'busy' | 'idle';
  readonly text: string;
}) {
  return <span class={`state ${kind}`}>{text}</span>;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Shown in place of a table without rows. */
  readonly none?: string;
  readonly keyOf: (row: Row) => string;
  /** One for each column. On a phone a row is a block whose cells have the names of their columns. */
  readonly cells: (row: Row) => readonly ComponentChildren[];
}

export function Table<Row>({ label, columns, rows, none, keyOf, cells }: TableProps<Row>) {
  if (none !== undefined && rows.length === 0) return <p class="quiet">{none}</p>;
  return (
    <table class="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) =>
            column === '' ? (
              <td key={column} />
            ) : (
              <th key={column} scope="col">
                {column}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {cells(row).map((cell, at) => (
              <td key={columns[at]} data-column={columns[at]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The way to the next page of a list; nothing on the last one. */
export function ShowMore({
  hasMore,
  onMore,
}: {
  readonly hasMore: boolean;
  readonly onMore: () => Promise<void>;
}) {
  if (!hasMore) return null;
  return (
    <button type="button" onClick={() => void onMore()}>
      {words.value.showMore}
    </button>
  );
}

/** How full something is; the numbers beside it say it in words. */
export function Meter({
  label,
  value,
  max,
  text,
}: {
  label: string;
  value: number;
  max: number;
  text: string;
}) {
  const share = max === 0 ? 0 : Math.min(1, value / max);
  return (
    <div class="meter">
      <span>{label}</span>
      <span class="amount">{text}</span>
      <svg
        class={share > 0.9 ? 'bar protein' : 'bar energy'}
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect class="rail" width="100" height="4" rx="2" />
        <rect class="fill" width={share * 100} height="4" rx="2" />
      </svg>
    </div>
  );
}

/** What the table calls it; its own name for what is newer than the table. */
export function nameIn(names: Readonly<Record<string, string>>, name: string): string {
  return names[name] ?? name;
}
