import { OperatorError } from '../../../errors.ts';
import type { RawFood, RawFoodSink } from '../raw-food.ts';
import { aliasesIn, MAX_ALIASES } from './aliases.ts';
import { brandedPart } from './branded.ts';
import { type Bundle, type BundleFile, findFile } from './bundle.ts';
import { type CsvRows, readCsvRows } from './csv-rows.ts';
import { parseFdcDate } from './fdc-date.ts';
import { FOOD_TYPES, FoodTable, type FoodType } from './food-table.ts';
import { nutrientColumn } from './nutrient-columns.ts';
import { type Portion, portionServings } from './portions.ts';

const MAX_PORTION_ROWS_PER_FOOD = 200;
const UNDETERMINED_UNIT = 9999;

export interface CsvBundle {
  readonly bundle: Bundle;
  readonly sink: RawFoodSink;
  /** Called now and then with the bytes read so far, counted up to `csvBundleBytes`. */
  readonly onBytesRead: (bytesRead: number) => void;
}

/**
 * Reads the CSV form of FoodData Central: tables that are joined by `fdc_id`.
 *
 * ```
 * food.csv ──▶ FoodTable (a slot for each food to serve)
 * food_nutrient.csv ──▶ amounts by slot          measure_unit.csv, food_portion.csv, food_attribute.csv
 *                                  └───────────┐   └─▶ portions and aliases of generic foods
 *                                              ▼
 * branded_food.csv ──row by row──▶ sink.food; then the foods that are left ──▶ sink.food
 * ```
 *
 * The large files are read once, the largest texts are never held. Each row of `food.csv` reaches the sink exactly
 * once (a food, skipped, or broken); whatever joins with nothing is noticed.
 */
export async function readCsvBundle({ bundle, sink, onBytesRead }: CsvBundle): Promise<void> {
  await new CsvBundleReader({ bundle, sink, onBytesRead }).read();
}

export const CSV_FILES = [
  'food.csv',
  'food_nutrient.csv',
  'measure_unit.csv',
  'food_portion.csv',
  'food_attribute.csv',
  'branded_food.csv',
] as const;
type CsvFile = (typeof CSV_FILES)[number];

export function csvBundleBytes(bundle: Bundle): number {
  return CSV_FILES.reduce((bytes, name) => bytes + (findFile(bundle, name)?.sizeBytes ?? 0), 0);
}

type RowsOf<Column extends string> = Pick<CsvRows<Column>, 'required' | 'optional' | 'onRow'> & {
  readonly onBroken?: CsvRows<Column>['onBroken'];
};

class CsvBundleReader {
  readonly #bundle: Bundle;
  readonly #sink: RawFoodSink;
  readonly #onBytesRead: (bytesRead: number) => void;
  readonly #table = new FoodTable();
  /** Foods of other types, whose rows in the other files are nobody's loss. */
  readonly #skippedIds = new Set<number>();
  readonly #units = new Map<number, string>();
  readonly #portions = new Map<number, Portion[]>();
  readonly #aliases = new Map<number, string[]>();
  #bytesOfFilesDone = 0;

  constructor({ bundle, sink, onBytesRead }: CsvBundle) {
    this.#bundle = bundle;
    this.#sink = sink;
    this.#onBytesRead = onBytesRead;
  }

  async read(): Promise<void> {
    await this.#readFoods();
    await this.#readNutrients();
    await this.#readUnits();
    await this.#readPortions();
    await this.#readAttributes();
    const emitted = await this.#emitBranded();
    this.#emitOthers(emitted);
  }

  async #readFoods(): Promise<void> {
    const seenTypes = new Set<string>(FOOD_TYPES);
    await this.#readFile('food.csv', 'is needed', {
      required: ['fdc_id', 'data_type', 'description'],
      optional: ['publication_date'],
      onBroken: (where, reason, example) => this.#sink.broken(where, reason, example),
      onRow: (row) => {
        const id = row.number('fdc_id');
        const type = row.text('data_type');
        const name = row.text('description');
        if (!isFdcId(id)) {
          this.#sink.broken(`food.csv:${row.line}`, 'no fdc_id', name);
        } else if (!seenTypes.has(type)) {
          this.#skippedIds.add(id);
          this.#sink.skipped(`not a food to serve: ${type || 'no data type'}`, `${id} ${name}`);
        } else if (this.#table.find(id) !== undefined) {
          this.#sink.skipped('stated twice in food.csv', `${id} ${name}`);
        } else {
          this.#table.add(id, type as FoodType, name, parseFdcDate(row.text('publication_date')));
        }
      },
    });
  }

  async #readNutrients(): Promise<void> {
    const table = this.#table;
    table.openAmounts();
    let lastId: number | undefined;
    let slot: number | undefined;
    await this.#readFile('food_nutrient.csv', 'is needed', {
      required: ['fdc_id', 'nutrient_id', 'amount'],
      onRow: (row) => {
        const column = nutrientColumn(row.number('nutrient_id') ?? 0);
        const id = row.number('fdc_id');
        if (id !== lastId) {
          lastId = id;
          slot = this.#slotOf(id);
        }
        if (slot === undefined) this.#noticeUnknown('food_nutrient.csv', row.line, id);
        else if (column >= 0) {
          const amount = row.number('amount');
          if (amount !== undefined) table.setAmount(slot, column, amount);
          else
            this.#sink.noticed(
              'a row of food_nutrient.csv without an amount',
              `line ${row.line}, food ${id}`,
            );
        }
      },
    });
  }

  async #readUnits(): Promise<void> {
    await this.#readFile('measure_unit.csv', 'is optional', {
      required: ['id', 'name'],
      onRow: (row) => this.#units.set(row.number('id') ?? UNDETERMINED_UNIT, row.text('name')),
    });
    this.#units.delete(UNDETERMINED_UNIT);
  }

  async #readPortions(): Promise<void> {
    await this.#readFile('food_portion.csv', this.#hasGeneric() ? 'is expected' : 'is optional', {
      required: ['fdc_id', 'gram_weight'],
      optional: ['seq_num', 'amount', 'measure_unit_id', 'portion_description', 'modifier'],
      onRow: (row) => {
        const id = row.number('fdc_id');
        const slot = this.#slotOf(id);
        if (slot === undefined) return this.#noticeUnknown('food_portion.csv', row.line, id);
        addTo(this.#portions, slot, MAX_PORTION_ROWS_PER_FOOD, {
          order: row.number('seq_num') ?? row.line,
          amount: row.number('amount'),
          unit: this.#units.get(row.number('measure_unit_id') ?? UNDETERMINED_UNIT),
          description: row.text('portion_description'),
          modifier: row.text('modifier'),
          grams: row.number('gram_weight') ?? 0,
        });
      },
    });
  }

  async #readAttributes(): Promise<void> {
    await this.#readFile('food_attribute.csv', 'is optional', {
      required: ['fdc_id', 'food_attribute_type_id', 'value'],
      onRow: (row) => {
        const slot = this.#slotOf(row.number('fdc_id'));
        if (slot === undefined) return;
        for (const alias of aliasesIn(row.number('food_attribute_type_id') ?? 0, row.text('value'))) {
          addTo(this.#aliases, slot, MAX_ALIASES, alias);
        }
      },
    });
  }

  /** Gives back which slots were emitted, one byte each. */
  async #emitBranded(): Promise<Uint8Array> {
    const emitted = new Uint8Array(this.#table.size);
    const presence = this.#has('branded_food') ? 'is needed' : 'is optional';
    await this.#readFile('branded_food.csv', presence, {
      required: ['fdc_id', 'gtin_upc'],
      optional: [
        'brand_owner',
        'brand_name',
        'serving_size',
        'serving_size_unit',
        'household_serving_fulltext',
        'modified_date',
      ],
      onRow: (row) => {
        const id = row.number('fdc_id');
        const slot = this.#slotOf(id);
        if (slot === undefined) return this.#noticeUnknown('branded_food.csv', row.line, id);
        if (emitted[slot] === 1) return this.#sink.noticed('a second row in branded_food.csv', `food ${id}`);
        emitted[slot] = 1;
        this.#emit(slot, {
          ...brandedPart({
            gtinUpc: row.text('gtin_upc').trim(),
            brandName: row.text('brand_name').trim(),
            brandOwner: row.text('brand_owner').trim(),
            servingSize: row.number('serving_size'),
            servingSizeUnit: row.text('serving_size_unit').trim(),
            householdText: row.text('household_serving_fulltext'),
            modifiedAt: parseFdcDate(row.text('modified_date')),
          }),
        });
      },
    });
    return emitted;
  }

  #emitOthers(emitted: Uint8Array): void {
    const table = this.#table;
    for (let slot = 0; slot < table.size; slot++) {
      if (emitted[slot] === 1) continue;
      if (table.type(slot) === 'branded_food') {
        const food = `${table.fdcId(slot)} ${table.name(slot)}`;
        this.#sink.noticed(
          'a branded food without its row in branded_food.csv: no barcode, no serving',
          food,
        );
        this.#emit(slot, {});
      } else this.#emit(slot, { isGeneric: true, servings: portionServings(this.#portions.get(slot) ?? []) });
    }
  }

  #emit(slot: number, part: Partial<RawFood>): void {
    const table = this.#table;
    const publishedAt = table.publishedAt(slot);
    this.#sink.food({
      origin: 'fdc',
      key: String(table.fdcId(slot)),
      name: table.name(slot),
      per100: table.nutrients(slot),
      aliases: this.#aliases.get(slot) ?? [],
      ...(publishedAt !== undefined && { createdAt: publishedAt, updatedAt: publishedAt }),
      ...part,
    });
  }

  async #readFile<Column extends string>(
    name: CsvFile,
    presence: 'is needed' | 'is expected' | 'is optional',
    rows: RowsOf<Column>,
  ): Promise<void> {
    const file = this.#findFile(name, presence);
    if (file === undefined) return;
    await readCsvRows({
      file,
      bundlePath: this.#bundle.path,
      onBroken: (where, reason, example) => this.#sink.noticed(`${name}: ${reason}`, `${where}: ${example}`),
      onBytesRead: (bytesRead) => this.#onBytesRead(this.#bytesOfFilesDone + bytesRead),
      ...rows,
    });
    this.#bytesOfFilesDone += file.sizeBytes;
  }

  #findFile(name: CsvFile, presence: 'is needed' | 'is expected' | 'is optional'): BundleFile | undefined {
    const file = findFile(this.#bundle, name);
    if (file !== undefined || presence === 'is optional') return file;
    if (presence === 'is needed') {
      throw new OperatorError(
        `${this.#bundle.path} lacks ${name}. A FoodData Central bundle is the folder or .zip with all its CSV files.`,
      );
    }
    this.#sink.noticed(`${name} is missing`, this.#bundle.path);
    return undefined;
  }

  #slotOf(id: number | undefined): number | undefined {
    return isFdcId(id) ? this.#table.find(id) : undefined;
  }

  #noticeUnknown(file: CsvFile, line: number, id: number | undefined): void {
    if (id !== undefined && this.#skippedIds.has(id)) return;
    this.#sink.noticed(
      `a row of ${file} of a food that food.csv does not have`,
      `line ${line}, food ${id ?? '(none)'}`,
    );
  }

  #has(type: FoodType): boolean {
    for (let slot = 0; slot < this.#table.size; slot++) if (this.#table.type(slot) === type) return true;
    return false;
  }

  #hasGeneric(): boolean {
    return FOOD_TYPES.some((type) => type !== 'branded_food' && this.#has(type));
  }
}

function isFdcId(id: number | undefined): id is number {
  return id !== undefined && Number.isInteger(id) && id > 0 && id <= 0x7fff_ffff;
}

function addTo<T>(lists: Map<number, T[]>, slot: number, limit: number, item: T): void {
  const list = lists.get(slot);
  if (list === undefined) lists.set(slot, [item]);
  else if (list.length < limit) list.push(item);
}
