import { OperatorError } from '@larder/core/errors.ts';
import type { FoodFacts } from '@larder/core/food-facts.ts';
import type { RawFood, RawFoodSink } from '../normalise/raw-food.ts';
import { DelimitedReader } from '../readers/delimited.ts';
import type { DelimitedRow } from '../readers/delimited-fields.ts';
import { type ReadOptions, truncatedFile } from '../readers/source-file.ts';
import { asUtf8 } from '../readers/utf8.ts';
import { brandedFacts, brandedPart } from './branded.ts';
import { type Bundle, type BundleFile, findFile } from './bundle.ts';
import { aliasesIn, parseFdcDate } from './field-texts.ts';
import { diaryEntriesOf } from './food.ts';
import { FoodTable, isFoodType } from './food-table.ts';
import { furtherNumber, NOT_KEPT, nutrientColumn } from './nutrients.ts';
import { UNDETERMINED_UNIT } from './portions.ts';

/** The tables that are read; a download has dozens. */
const CSV_TABLES = [
  'food.csv',
  'food_nutrient.csv',
  'measure_unit.csv',
  'food_category.csv',
  'wweia_food_category.csv',
  'food_portion.csv',
  'food_attribute.csv',
  'branded_food.csv',
  'survey_fndds_food.csv',
] as const;
type CsvTable = (typeof CSV_TABLES)[number];

/** The consequence of a missing table. */
type Presence = 'needed' | 'expected' | 'optional';

interface TableRows<Column extends string> {
  readonly presence: Presence;
  /** The table is rejected if one of these columns is missing. */
  readonly required: readonly Column[];
  readonly optional?: readonly Column[];
  readonly onRow: (row: DelimitedRow<Column>) => void;
  /** Called for unreadable rows; by default they are noticed. */
  readonly onBroken?: (where: string, reason: string, example: string) => void;
}

interface CsvTablesOptions {
  readonly bundle: Bundle;
  readonly sink: RawFoodSink;
  /** `onBytesRead` counts over all tables, up to `csvBundleBytes`. */
  readonly options: ReadOptions;
}

/** The tables of one bundle. Columns are found by name. */
class CsvTables {
  readonly #bundle: Bundle;
  readonly #sink: RawFoodSink;
  readonly #options: ReadOptions;
  #bytesOfTablesDone = 0;

  constructor({ bundle, sink, options }: CsvTablesOptions) {
    this.#bundle = bundle;
    this.#sink = sink;
    this.#options = options;
  }

  /** Reads one whole table. Throws an `OperatorError` if a needed table is missing, empty or has other columns. */
  async read<Column extends string>(name: CsvTable, rows: TableRows<Column>): Promise<void> {
    const file = this.#find(name, rows.presence);
    if (file === undefined) return;
    const noticeBroken = (where: string, reason: string, example: string) =>
      this.#sink.noticed(`a row of ${name} cannot be read: ${reason}`, `${where}: ${example}`);
    let hasHeader = false;
    const reader = new DelimitedReader<Column>({
      delimiter: ',',
      quoted: true,
      columns: [...rows.required, ...(rows.optional ?? [])],
      onHeader: (columns) => {
        hasHeader = true;
        this.#requireColumns(name, rows.required, columns);
      },
      onRow: rows.onRow,
      onBroken: (line, reason, example) =>
        (rows.onBroken ?? noticeBroken)(`${name}:${line}`, reason, example),
    });
    const bytesBefore = this.#bytesOfTablesDone;
    const options: ReadOptions = {
      ...this.#options,
      onBytesRead: (bytesRead) => this.#options.onBytesRead?.(bytesBefore + bytesRead),
    };
    for await (const chunk of asUtf8(name, file.read(options), this.#sink)) reader.push(chunk);
    if (!reader.end()) throw truncatedFile(`${name} in ${this.#bundle.path}`);
    if (!hasHeader) throw new OperatorError(`${name} in ${this.#bundle.path} is empty. Get it again.`);
    this.#bytesOfTablesDone += file.sizeBytes;
  }

  #find(name: CsvTable, presence: Presence): BundleFile | undefined {
    const file = findFile(this.#bundle, name);
    if (file === undefined && presence === 'needed') {
      throw new OperatorError(
        `${this.#bundle.path} lacks ${name}. ` +
          'A FoodData Central bundle is the folder or the .zip with all CSV files of a download.',
      );
    }
    if (file === undefined && presence === 'expected') {
      this.#sink.noticed(`${name} is missing`, this.#bundle.path);
    }
    return file;
  }

  #requireColumns(name: CsvTable, required: readonly string[], columns: readonly string[]): void {
    const missing = required.filter((column) => !columns.includes(column));
    if (missing.length === 0) return;
    throw new OperatorError(
      `${name} in ${this.#bundle.path} has no column ${missing.join(', ')}. ` +
        'Is it the CSV form of a FoodData Central download?',
    );
  }
}

const MAX_FDC_ID = 0x7fff_ffff;

/**
 * Reads the CSV form of FoodData Central: tables that are joined by `fdc_id`.
 *
 *  ```
 *  food.csv ──▶ FoodTable (a slot for each imported food)
 *  food_nutrient.csv ──▶ amounts by slot          measure_unit.csv, food_portion.csv, food_attribute.csv
 *                                   │               survey_fndds_food.csv
 *                                   └───────────┐   └─▶ portions, aliases and diary entries of generic foods
 *                                               ▼
 *  branded_food.csv ──row by row──▶ sink.food; then the remaining foods ──▶ sink.food
 *  ```
 *
 * The large tables are read once, and the longest texts are not kept. Each row of `food.csv` reaches the sink once (as
 * a food, skipped, or broken); rows without a food are noticed.
 */
export async function readCsvBundle(options: CsvTablesOptions): Promise<void> {
  await new CsvBundleReader(options).read();
}

/** Total of `onBytesRead`. */
export function csvBundleBytes(bundle: Bundle): number {
  return CSV_TABLES.reduce((bytes, name) => bytes + (findFile(bundle, name)?.sizeBytes ?? 0), 0);
}

class CsvBundleReader {
  readonly #tables: CsvTables;
  readonly #sink: RawFoodSink;
  readonly #foods = new FoodTable();
  /** Ids of foods of other types; their rows in other tables need no notice. */
  readonly #skippedIds = new Set<number>();
  readonly #units = new Map<number, string>();
  /** Names of categories by their ids. */
  readonly #categories = new Map<string, string>();

  constructor(options: CsvTablesOptions) {
    this.#tables = new CsvTables(options);
    this.#sink = options.sink;
  }

  async read(): Promise<void> {
    await this.#readCategories();
    await this.#readFoods();
    await this.#readNutrients();
    await this.#readUnits();
    await this.#readPortions();
    await this.#readAttributes();
    await this.#readSurveyCodes();
    const handedOn = await this.#handOnBranded();
    this.#handOnOthers(handedOn);
  }

  /** Survey foods have categories of their own, whose numbers are larger. */
  async #readCategories(): Promise<void> {
    await this.#tables.read('food_category.csv', {
      presence: 'optional',
      required: ['id', 'description'],
      onRow: (row) => this.#categories.set(row.text('id'), row.text('description')),
    });
    await this.#tables.read('wweia_food_category.csv', {
      presence: 'optional',
      required: [],
      optional: ['wweia_food_category', 'wweia_food_category_description', 'wweia_food_category_code'],
      onRow: (row) =>
        this.#categories.set(
          row.text('wweia_food_category') || row.text('wweia_food_category_code'),
          row.text('wweia_food_category_description'),
        ),
    });
  }

  async #readFoods(): Promise<void> {
    await this.#tables.read('food.csv', {
      presence: 'needed',
      required: ['fdc_id', 'data_type', 'description'],
      optional: ['publication_date', 'food_category_id'],
      onBroken: (where, reason, example) => this.#sink.broken(where, reason, example),
      onRow: (row) => {
        const id = row.number('fdc_id');
        const type = row.text('data_type');
        const name = row.text('description');
        if (!isFdcId(id)) {
          this.#sink.broken(`food.csv:${row.line}`, 'no fdc_id', name);
        } else if (!isFoodType(type)) {
          this.#skippedIds.add(id);
          this.#sink.skipped(`not a food to serve: ${type || 'no data type'}`, `${id} ${name}`);
        } else if (this.#foods.find(id) !== undefined) {
          this.#sink.skipped('stated twice in food.csv', `${id} ${name}`);
        } else {
          this.#foods.add(id, type, name, parseFdcDate(row.text('publication_date')));
          const category = this.#categories.get(row.text('food_category_id'));
          if (category !== undefined && this.#sink.takesFacts)
            this.#foods.setCategory(this.#foods.size - 1, category);
        }
      },
    });
  }

  async #readNutrients(): Promise<void> {
    const foods = this.#foods;
    foods.openAmounts();
    // Rows of one food usually follow each other.
    let lastId: number | undefined;
    let slot: number | undefined;
    await this.#tables.read('food_nutrient.csv', {
      presence: 'needed',
      required: ['fdc_id', 'nutrient_id', 'amount'],
      onRow: (row) => {
        const id = row.number('fdc_id');
        if (id !== lastId) {
          lastId = id;
          slot = this.#slotOf(id);
        }
        if (slot === undefined) return this.#noticeUnknown('food_nutrient.csv', row.line, id);
        const column = nutrientColumn(row.number('nutrient_id') ?? 0);
        const further = this.#sink.takesFacts ? furtherNumber(row.number('nutrient_id') ?? 0) : undefined;
        if (column === -1 && further === undefined) return this.#noticeNotKept(row, id);
        const amount = row.number('amount');
        if (amount !== undefined && further !== undefined) foods.addFurther(slot, further, amount);
        if (amount !== undefined && column !== -1) foods.setAmount(slot, column, amount);
        if (amount !== undefined) return;
        this.#sink.noticed('a row of food_nutrient.csv without an amount', `line ${row.line}, food ${id}`);
      },
    });
  }

  #noticeNotKept(row: DelimitedRow<'nutrient_id'>, food: number | undefined): void {
    if (this.#sink.takesFacts)
      this.#sink.noticed(NOT_KEPT, `nutrient ${row.number('nutrient_id')} of food ${food}`);
  }

  async #readUnits(): Promise<void> {
    await this.#tables.read('measure_unit.csv', {
      presence: 'optional',
      required: ['id', 'name'],
      onRow: (row) => this.#units.set(row.number('id') ?? UNDETERMINED_UNIT, row.text('name')),
    });
    this.#units.delete(UNDETERMINED_UNIT);
  }

  async #readPortions(): Promise<void> {
    await this.#tables.read('food_portion.csv', {
      presence: this.#foods.has('generic') ? 'expected' : 'optional',
      required: ['fdc_id', 'gram_weight'],
      optional: ['seq_num', 'amount', 'measure_unit_id', 'portion_description', 'modifier'],
      onRow: (row) => {
        const id = row.number('fdc_id');
        const slot = this.#slotOf(id);
        if (slot === undefined) return this.#noticeUnknown('food_portion.csv', row.line, id);
        this.#foods.addPortion(slot, {
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
    await this.#tables.read('food_attribute.csv', {
      presence: 'optional',
      required: ['fdc_id', 'food_attribute_type_id', 'value'],
      onRow: (row) => {
        const slot = this.#slotOf(row.number('fdc_id'));
        if (slot === undefined) return;
        const type = row.number('food_attribute_type_id') ?? 0;
        for (const alias of aliasesIn(type, row.text('value'), this.#foods.name(slot))) {
          this.#foods.addAlias(slot, alias);
        }
      },
    });
  }

  async #readSurveyCodes(): Promise<void> {
    await this.#tables.read('survey_fndds_food.csv', {
      presence: 'optional',
      required: ['fdc_id', 'food_code'],
      onRow: (row) => {
        const slot = this.#slotOf(row.number('fdc_id'));
        if (slot !== undefined) this.#foods.setDiaryEntries(slot, diaryEntriesOf(row.text('food_code')));
      },
    });
  }

  /** Returns which slots were delivered, one byte each. */
  async #handOnBranded(): Promise<Uint8Array> {
    const handedOn = new Uint8Array(this.#foods.size);
    await this.#tables.read('branded_food.csv', {
      presence: this.#foods.has('branded') ? 'needed' : 'optional',
      required: ['fdc_id', 'gtin_upc'],
      optional: [
        'brand_owner',
        'brand_name',
        'serving_size',
        'serving_size_unit',
        'household_serving_fulltext',
        'modified_date',
        'ingredients',
        'branded_food_category',
        'market_country',
        'package_weight',
      ],
      onRow: (row) => {
        const id = row.number('fdc_id');
        const slot = this.#slotOf(id);
        if (slot === undefined) return this.#noticeUnknown('branded_food.csv', row.line, id);
        if (handedOn[slot] === 1) return this.#sink.noticed('a second row in branded_food.csv', `food ${id}`);
        handedOn[slot] = 1;
        const fields = {
          gtinUpc: row.text('gtin_upc').trim(),
          brandName: row.text('brand_name').trim(),
          brandOwner: row.text('brand_owner').trim(),
          servingSize: row.number('serving_size'),
          servingSizeUnit: row.text('serving_size_unit').trim(),
          householdText: row.text('household_serving_fulltext'),
          modifiedAt: parseFdcDate(row.text('modified_date')),
          ingredients: row.text('ingredients'),
          category: row.text('branded_food_category'),
          country: row.text('market_country'),
          packageWeight: row.text('package_weight'),
        };
        this.#sink.food({
          ...this.#foods.toRawFood(slot),
          ...brandedPart(fields),
          ...this.#factsOf(slot, () => brandedFacts(fields)),
        });
      },
    });
    return handedOn;
  }

  #handOnOthers(handedOn: Uint8Array): void {
    for (let slot = 0; slot < this.#foods.size; slot++) {
      if (handedOn[slot] === 1) continue;
      const food = this.#foods.toRawFood(slot);
      if (!food.isGeneric) {
        const reason = 'a branded food without its row in branded_food.csv: no barcode, brand or serving';
        this.#sink.noticed(reason, `${food.key} ${food.name}`);
      }
      this.#sink.food({ ...food, ...this.#factsOf(slot) });
    }
  }

  #factsOf(slot: number, more: () => FoodFacts = () => ({})): Pick<RawFood, 'facts'> {
    return this.#sink.takesFacts ? { facts: { ...this.#foods.factsOf(slot), ...more() } } : {};
  }

  #slotOf(id: number | undefined): number | undefined {
    return isFdcId(id) ? this.#foods.find(id) : undefined;
  }

  #noticeUnknown(table: CsvTable, line: number, id: number | undefined): void {
    if (id !== undefined && this.#skippedIds.has(id)) return;
    const reason = `a row of ${table} of a food that food.csv does not have`;
    this.#sink.noticed(reason, `line ${line}, food ${id ?? '(none)'}`);
  }
}

function isFdcId(id: number | undefined): id is number {
  return id !== undefined && Number.isInteger(id) && id > 0 && id <= MAX_FDC_ID;
}
