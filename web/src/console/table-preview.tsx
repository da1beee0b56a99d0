import type { Signal } from '@preact/signals';
import type { TablePreview } from 'larder-client';
import { energyText } from '../parts/measures.ts';
import { setTo } from '../parts/signals.ts';
import { numbers, texts } from '../texts/texts.ts';
import { words } from './texts/texts.ts';
import { Table } from './view.tsx';

const AMOUNTS = ['energy', 'protein', 'fat', 'carbohydrates'] as const;

interface TablePreviewProps {
  readonly preview: TablePreview;
  /** The map as it was changed here. */
  readonly map: Signal<string | undefined>;
}

/** How the columns of a table are read, and its first foods. */
export function TablePreviewView({ preview, map }: TablePreviewProps) {
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
