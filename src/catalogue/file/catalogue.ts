import { typedBarcode } from '../../barcode/candidates.ts';
import type { Gtin } from '../../barcode/gtin.ts';
import type { Food, KnownProduct } from '../food/food.ts';
import { parseFoodId } from '../food/food.ts';
import type { BarcodeMatch, FoodFinder, ScoredFood, SearchOptions } from '../food/food-finder.ts';
import type { Explanation } from '../search/explanation.ts';
import type { SearchSections, SectionArray } from '../search/index/sections.ts';
import { type IndexOptions, type SearchHit, SearchIndex } from '../search/search-index.ts';
import {
  damagedCatalogue,
  HEADER_BYTES,
  parseDirectory,
  parseHeader,
  RECORD_ALIGNMENT,
  SEARCH_PREFIX,
  sectionView,
} from './catalogue-file.ts';
import type { CatalogueInfo } from './catalogue-info.ts';
import type { StoredRecord } from './food-record.ts';
import { hasId, readHead, readRecord } from './food-record-reader.ts';
import { writeId } from './food-record-writer.ts';
import { BUCKET_SEED, FINGERPRINT_SEED, HashIndex, hashId, hashNumber, NOWHERE } from './hash-index.ts';
import { RecordBytesReader, RecordBytesWriter } from './record-bytes.ts';

/** How messages name a catalogue whose file is no longer known. */
const IN_MEMORY = 'The catalogue in memory';

/** The parts of a catalogue, as views on the memory it was loaded into. */
interface CatalogueParts {
  readonly info: CatalogueInfo;
  readonly records: Buffer;
  readonly places: Uint32Array;
  readonly ids: HashIndex;
  readonly gtins: HashIndex;
  readonly searchIndex: SearchIndex;
}

/** How a query was read, what was tried, and what was found. */
export interface ExplainedSearch extends Omit<Explanation, 'hits'> {
  readonly hits: readonly ScoredFood[];
}

/**
 * The imported foods, read from one block of shared memory without copying it. Documents are numbered from 0 in static
 * order: foods, the most popular first, then products that are only known.
 */
export class Catalogue implements FoodFinder {
  readonly info: CatalogueInfo;
  readonly #records: RecordBytesReader;
  readonly #soughtId = new RecordBytesWriter();
  readonly #places: Uint32Array;
  readonly #ids: HashIndex;
  readonly #gtins: HashIndex;
  readonly #searchIndex: SearchIndex;

  /** Cheap: the image was checked by `loadCatalogueImage`, and each thread opens its own view. */
  static open(image: SharedArrayBuffer): Catalogue {
    const bytes = Buffer.from(image);
    const header = parseHeader(IN_MEMORY, bytes.subarray(0, HEADER_BYTES));
    const { directoryOffset, directoryBytes } = header;
    const directory = parseDirectory(
      IN_MEMORY,
      header,
      bytes.subarray(directoryOffset, directoryOffset + directoryBytes),
    );
    const views = new Map(directory.sections.map((section) => [section.name, sectionView(image, section)]));
    const section = (name: string): SectionArray => {
      const view = views.get(name);
      if (view === undefined) throw damagedCatalogue(IN_MEMORY, `it has no section "${name}"`);
      return view;
    };
    const numbers = (name: string) => section(name) as Uint32Array;
    const records = section('records');
    return new Catalogue({
      info: directory.info,
      records: Buffer.from(image, records.byteOffset, records.byteLength),
      places: numbers('places'),
      ids: new HashIndex({ starts: numbers('id.starts'), entries: numbers('id.entries') }),
      gtins: new HashIndex({ starts: numbers('gtin.starts'), entries: numbers('gtin.entries') }),
      searchIndex: SearchIndex.open(searchSections(views)),
    });
  }

  private constructor({ info, records, places, ids, gtins, searchIndex }: CatalogueParts) {
    this.info = info;
    this.#records = new RecordBytesReader(records);
    this.#places = places;
    this.#ids = ids;
    this.#gtins = gtins;
    this.#searchIndex = searchIndex;
  }

  /** Catalogues of one checksum are the same, byte for byte. */
  get revision(): string {
    return this.info.checksum;
  }

  /** By its id, or by the id of a food that was merged into it. */
  findById(id: string): Food | undefined {
    const place = this.#placeOfId(id);
    if (place === NOWHERE) return undefined;
    const record = readRecord(this.#recordAt(place));
    return 'food' in record ? record.food : undefined;
  }

  /** Of several that carry one GTIN, the first in static order. */
  findByGtin(gtin: Gtin): Food | KnownProduct | undefined {
    const place = this.#placeOf(gtin);
    if (place === NOWHERE) return undefined;
    const record = readRecord(this.#recordAt(place));
    return 'food' in record ? record.food : record.known;
  }

  /** The first candidate that is a food wins, else the first that is known at all. */
  findByBarcode(candidates: readonly Gtin[]): BarcodeMatch | undefined {
    let known: BarcodeMatch | undefined;
    for (const gtin of candidates) {
      const place = this.#placeOf(gtin);
      if (place === NOWHERE) continue;
      const record = readRecord(this.#recordAt(place));
      if ('food' in record) return { food: record.food };
      known ??= { known: record.known };
    }
    return known;
  }

  /** Best first. Digits that are a barcode also find the food that carries it, which then comes first. */
  search(query: string, limit: number, options?: SearchOptions): Food[] {
    return this.searchScored(query, limit, options).map(({ food }) => food);
  }

  /** The same with scores, which can be compared with those of other indexes of this kind. */
  searchScored(query: string, limit: number, options?: SearchOptions): ScoredFood[] {
    const hits = this.#searchIndex.search(query, limit, options && this.#toIndexOptions(options));
    return this.#toFoods(hits, query, limit);
  }

  /** The same search, with what was tried on the way. */
  explain(query: string, limit: number): ExplainedSearch {
    const { tokens, plans, hits } = this.#searchIndex.explain(query, limit);
    return { tokens, plans, hits: this.#toFoods(hits, query, limit) };
  }

  /** All records in static order. */
  *records(): Generator<StoredRecord> {
    for (const place of this.#places) yield readRecord(this.#recordAt(place));
  }

  #toFoods(found: readonly SearchHit[], query: string, limit: number): ScoredFood[] {
    const hits = found.map(({ document, score }) => ({ food: this.#foodAt(document), score }));
    const candidates = typedBarcode(query);
    const match = candidates === undefined ? undefined : this.findByBarcode(candidates);
    if (match === undefined || !('food' in match)) return hits;
    const first = { food: match.food, score: Number.POSITIVE_INFINITY };
    return [first, ...hits.filter(({ food }) => food.id !== match.food.id)].slice(0, limit);
  }

  #foodAt(document: number): Food {
    const record = readRecord(this.#recordAt(this.#places[document]!));
    if (!('food' in record)) throw new RangeError(`Document ${document} is not a food`);
    return record.food;
  }

  #toIndexOptions({ floor, favourites = [] }: SearchOptions): IndexOptions {
    return {
      ...(floor !== undefined && { floor }),
      favourites: favourites.flatMap(({ id, timesEaten }) => {
        const document = this.#documentAt(this.#placeOfId(id));
        return document === undefined ? [] : [{ document, timesEaten }];
      }),
    };
  }

  /** Places ascend with the documents; behind those that are searched there are products that are only known. */
  #documentAt(place: number): number | undefined {
    const { documents } = this.#searchIndex;
    let low = 0;
    let high = documents;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#places[middle]! < place) low = middle + 1;
      else high = middle;
    }
    return low < documents && this.#places[low] === place ? low : undefined;
  }

  /** Where the food of this id is, or the one that it was merged into; else `NOWHERE`. */
  #placeOfId(id: string): number {
    const parts = parseFoodId(id);
    if (parts === undefined) return NOWHERE;
    this.#soughtId.clear();
    writeId(this.#soughtId, parts);
    const { bytes } = this.#soughtId;
    return this.#ids.find(hashId(bytes, BUCKET_SEED), hashId(bytes, FINGERPRINT_SEED), (candidate) =>
      hasId(this.#recordAt(candidate), bytes),
    );
  }

  #placeOf(gtin: Gtin): number {
    const number = Number(gtin);
    return this.#gtins.find(
      hashNumber(number, BUCKET_SEED),
      hashNumber(number, FINGERPRINT_SEED),
      (place) => readHead(this.#recordAt(place)).gtin === number,
    );
  }

  /** One reader serves all look-ups: each reads to its end before the next begins. */
  #recordAt(place: number): RecordBytesReader {
    this.#records.position = place * RECORD_ALIGNMENT;
    return this.#records;
  }
}

function searchSections(views: ReadonlyMap<string, SectionArray>): SearchSections {
  return Object.fromEntries(
    [...views]
      .filter(([name]) => name.startsWith(SEARCH_PREFIX))
      .map(([name, values]) => [name.slice(SEARCH_PREFIX.length), values]),
  );
}
