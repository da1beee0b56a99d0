import { typedBarcode } from '@larder/core/codes/barcode-candidates.ts';
import type { Barcode } from '@larder/core/codes/scanned-code.ts';
import { type Food, type KnownProduct, parseFoodId } from '@larder/core/food.ts';
import { FOOD_LANGUAGES, type FoodLanguage } from '@larder/core/food-languages.ts';
import type { Gtin } from '@larder/core/gtin.ts';
import { ENGLISH, languageBit } from '@larder/core/name-languages.ts';
import { tokenise } from '@larder/core/words/tokenise.ts';
import type { Explanation } from '@larder/search/explanation.ts';
import type { SearchSections, SectionArray } from '@larder/search/index/sections.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import { MeaningIndex, withProposals } from '@larder/search/meaning-index.ts';
import { SAME_NAME } from '@larder/search/query/ranking-weights.ts';
import { type IndexOptions, SearchIndex, type WordHits } from '@larder/search/search-index.ts';
import type {
  BarcodeMatch,
  FoodCheck,
  FoodFinder,
  FoodHit,
  SearchOptions,
} from '@larder/text/parse/food-finder.ts';
import type { FoodNames } from '@larder/text/parse/food-names.ts';
import { NameIndex } from '@larder/text/parse/names/name-index.ts';
import { type NameSections, toNameSections } from '@larder/text/parse/names/name-sections.ts';
import { searchWithAmounts } from '@larder/text/parse/searching/search-with-amounts.ts';
import { asksForFacts, CatalogueFacts, type FoodFilter, type FoundFacts } from './catalogue-facts.ts';
import {
  damagedCatalogue,
  IN_MEMORY,
  LOCAL_PREFIX,
  MEANING_PREFIX,
  NAMES_PREFIX,
  RECORD_ALIGNMENT,
  readDirectory,
  SEARCH_PREFIX,
  sectionViews,
} from './catalogue-file.ts';
import { type CatalogueInfo, catalogueName } from './catalogue-info.ts';
import type { StoredRecord } from './food-record.ts';
import { hasId, readHead, readIdentity, readRecord } from './food-record-reader.ts';
import { MAX_ID_BYTES, writeId } from './food-record-writer.ts';
import { BUCKET_SEED, FINGERPRINT_SEED, HashIndex, hashId, hashNumber, NOT_FOUND } from './hash-index.ts';
import { LocalNames } from './local-names.ts';
import { RecordBytesReader } from './record-bytes.ts';
import { findAmong, MAX_SAME_NUMBER } from './same-number.ts';

const MAX_WORDS = 48;
/** A typo or an unfinished word begins as the word that is meant. */
const BEGINNING = 3;

/**
 * Whether a food may be meant by callers who asked for these languages: it has each word of the query as it is written, in
 * any language, or one that begins alike in a language in play: those asked for, English, and unknown ones. So nobody gets a
 * food for its likeness to a word of another language.
 */
function isInPlay(query: string, food: Food, languages: readonly FoodLanguage[]): boolean {
  const { name, brand, aliases, nameLanguages = [] } = food;
  const bits = languages.reduce((all, code) => all | languageBit(code), ENGLISH);
  const every = new Set<string>();
  const inPlay: string[] = [];
  for (const [at, text] of [name, ...aliases, brand ?? ''].entries()) {
    const words = tokenise(text, MAX_WORDS);
    for (const word of words) every.add(word);
    const stated = nameLanguages[at] ?? 0;
    if (stated === 0 || (stated & bits) !== 0) inPlay.push(...words);
  }
  return tokenise(query, MAX_WORDS).every(
    (token) =>
      every.has(token) ||
      inPlay.some((word) => word.startsWith(token.slice(0, BEGINNING)) || word.includes(token)),
  );
}

/** The parts of a catalogue, as views on the loaded memory. */
interface CatalogueParts {
  readonly info: CatalogueInfo;
  readonly records: Buffer;
  readonly offsets: Uint32Array;
  readonly ids: HashIndex;
  readonly gtins: HashIndex;
  readonly searchIndex: SearchIndex;
  readonly names: NameSections;
  readonly localNames: LocalNames;
  readonly meaning: MeaningIndex | undefined;
  readonly facts: CatalogueFacts | undefined;
}

/** Interpretation of a query, plans and results. */
export interface ExplainedSearch extends Omit<Explanation, 'hits' | 'complete'> {
  readonly hits: readonly FoodHit[];
}

/** A name of a food, and its language. */
export interface LocalName {
  readonly name: string;
  readonly language: FoodLanguage;
}

/**
 * The imported foods, read from shared memory without copying. Documents are numbered from 0 in static order: foods
 * by popularity, then known products.
 */
export class Catalogue implements FoodFinder {
  readonly info: CatalogueInfo;
  /** Catalogues with equal checksums are identical. */
  readonly revision: string;
  readonly #records: RecordBytesReader;
  readonly #soughtId = Buffer.alloc(MAX_ID_BYTES);
  readonly #offsets: Uint32Array;
  readonly #ids: HashIndex;
  readonly #gtins: HashIndex;
  readonly #searchIndex: SearchIndex;
  readonly #nameSections: NameSections;
  #names: NameIndex | undefined;
  readonly #localNames: LocalNames;
  readonly #meaning: MeaningIndex | undefined;
  readonly #facts: CatalogueFacts | undefined;

  /**
   * Cheap: `loadCatalogueImage` has checked the image, and each thread opens its own view. `file` is the one that the image was read
   * from; without it foods have no facts.
   */
  static open(image: SharedArrayBuffer, file?: string | ((name: string) => string)): Catalogue {
    const directory = readDirectory(image);
    const views = sectionViews(image, directory.sections);
    const section = (name: string): SectionArray => {
      const view = views.get(name);
      if (view === undefined) throw damagedCatalogue(IN_MEMORY, `it has no section "${name}"`);
      return view;
    };
    const numbers = (name: string) => section(name) as Uint32Array;
    const names = toNameSections(sectionsWith(NAMES_PREFIX, views));
    if (names === undefined) throw damagedCatalogue(IN_MEMORY, 'it lacks the names of generic foods');
    const records = section('records');
    const searchIndex = SearchIndex.open(sectionsWith(SEARCH_PREFIX, views));
    return new Catalogue({
      info: directory.info,
      facts:
        file === undefined
          ? undefined
          : CatalogueFacts.of({
              file: typeof file === 'string' ? file : file(catalogueName(directory.info)),
              sections: directory.sections,
              documents: searchIndex.documents,
            }),
      records: Buffer.from(image, records.byteOffset, records.byteLength),
      offsets: numbers('places'),
      ids: new HashIndex({ starts: numbers('id.starts'), entries: numbers('id.entries') }),
      gtins: new HashIndex({ starts: numbers('gtin.starts'), entries: numbers('gtin.entries') }),
      searchIndex,
      names,
      localNames: new LocalNames(sectionsWith(LOCAL_PREFIX, views)),
      meaning: MeaningIndex.open(sectionsWith(MEANING_PREFIX, views)),
    });
  }

  private constructor(parts: CatalogueParts) {
    const { info, records, offsets, ids, gtins, searchIndex, names, localNames, meaning } = parts;
    this.info = info;
    this.revision = info.checksum;
    this.#records = new RecordBytesReader(records);
    this.#offsets = offsets;
    this.#ids = ids;
    this.#gtins = gtins;
    this.#searchIndex = searchIndex;
    this.#nameSections = names;
    this.#localNames = localNames;
    this.#meaning = meaning;
    this.#facts = parts.facts;
  }

  /** Finds a food by its id, or by the id of a food merged into it. */
  findById(id: string): Food | undefined {
    const offset = this.#offsetOfId(id);
    if (offset === NOT_FOUND) return undefined;
    const record = readRecord(this.#recordAt(offset));
    return 'food' in record ? record.food : undefined;
  }

  /** The first in static order with this GTIN. */
  findByGtin(gtin: Gtin): Food | KnownProduct | undefined {
    return this.findAllByGtin(gtin)[0];
  }

  /** In static order. */
  findAllByGtin(gtin: Gtin): (Food | KnownProduct)[] {
    return this.#offsetsOf(gtin).map((offset) => {
      const record = readRecord(this.#recordAt(offset));
      return 'food' in record ? record.food : record.known;
    });
  }

  findByBarcode(barcode: Barcode): BarcodeMatch | undefined {
    return findAmong([this], barcode);
  }

  /** Best first. If the text is a barcode, the food with that barcode comes first. */
  search(query: string, limit: number, options?: SearchOptions): Food[] {
    const search = (text: string, most: number) => this.searchScored(text, most, options);
    const foods: Food[] = [];
    for (const { food } of searchWithAmounts(query, limit, search)) foods.push(food);
    return foods;
  }

  /** Searches by all words of the text, including amounts. Scores are comparable with those of other search indexes. */
  searchScored(query: string, limit: number, options?: SearchOptions): FoodHit[] {
    const found = this.#searchIndex.find(query, limit, options && this.#toIndexOptions(options));
    return this.#answer(found, { query, limit, languages: options?.languages, filter: options?.filter });
  }

  /** The food with its name in the first of these languages that has one; unchanged if none has. */
  inLanguages(food: Food, languages: readonly FoodLanguage[]): Food {
    const document = languages.length === 0 ? undefined : this.#documentAt(this.#offsetOfId(food.id));
    if (document === undefined) return food;
    for (const language of languages) {
      const local = this.#localNames.nameOf(document, language);
      const name = local === undefined ? statedName(food, language) : capitalised(local, language);
      if (name !== undefined) return { ...food, name, language };
    }
    return food;
  }

  /** The facts of a food, read from the file; undefined if there are none. Throws a `DamagedFactsError`. */
  async factsOf(id: string): Promise<FoundFacts | undefined> {
    const offset = this.#offsetOfId(id);
    const document = this.#documentAt(offset);
    if (document === undefined) return undefined;
    const record = readRecord(this.#recordAt(offset));
    if (!('food' in record)) return undefined;
    return this.#facts?.find(document, [record.food.id, ...record.otherIds]);
  }

  /** Reads which documents fulfil a filter. Foods of which that is unknown do not. */
  async checkOf(filter: FoodFilter): Promise<FoodCheck> {
    const { sources } = filter;
    const byFacts = asksForFacts(filter)
      ? ((await this.#facts?.accepting(filter)) ?? (() => false))
      : undefined;
    const isOf = ({ id, source }: Pick<Food, 'id' | 'source'>) =>
      sources === undefined || sources.includes(source) || sources.includes(parseFoodId(id)?.origin ?? '');
    const accepts =
      sources === undefined
        ? undefined
        : (document: number) => isOf(readIdentity(this.#recordAt(this.#offsets[document]!)));
    return {
      accepts: (document) => byFacts?.(document) !== false && accepts?.(document) !== false,
      acceptsFood: (food) => byFacts === undefined && isOf(food),
    };
  }

  /** Closes the file of the facts. */
  async close(): Promise<void> {
    await this.#facts?.close();
  }

  /** The names of generic foods, for reading texts. */
  get names(): FoodNames {
    // Opened at the first use: most threads never read a text, and its scratch memory is a few megabytes.
    this.#names ??= new NameIndex({
      sections: this.#nameSections,
      foodAt: (document) => this.#foodAt(document),
    });
    return this.#names;
  }

  /**
   * The name of a food in the first of these languages that has one, for a record that holds one of its names; undefined if
   * users wrote another one.
   */
  nameInLanguages(
    { id, name }: { readonly id: string; readonly name: string },
    languages: readonly FoodLanguage[],
  ): LocalName | undefined {
    const food = languages.length === 0 ? undefined : this.findById(id);
    if (food === undefined) return undefined;
    const isOwn =
      food.name !== name && !FOOD_LANGUAGES.some((code) => this.inLanguages(food, [code]).name === name);
    const { name: local, language } = isOwn ? {} : this.inLanguages(food, languages);
    return local === undefined || language === undefined ? undefined : { name: local, language };
  }

  /** Searches as `search` does, and explains the result. */
  explain(query: string, limit: number): ExplainedSearch {
    const tried: Explanation[] = [];
    const hits = searchWithAmounts(query, limit, (text, most) => {
      const explained = this.#searchIndex.explain(text, most);
      tried.push(explained);
      return this.#answer(explained, { query: text, limit: most });
    });
    const [typed, withoutAmount] = tried;
    const others = withoutAmount?.plans ?? [];
    const plans = others.map((plan) => ({ ...plan, reading: `without the amount, ${plan.reading}` }));
    return { tokens: typed!.tokens, plans: [...typed!.plans, ...plans], hits };
  }

  /** Foods of a similar meaning, whatever their words are, with their similarity as score; nearest first. */
  proposals(text: string, limit: number): FoodHit[] {
    const near = this.#meaning?.nearest(text, limit, 0) ?? [];
    return near.map(({ document, score }) => ({ food: this.#foodAt(document), score }));
  }

  similarity(text: string, name: string): number {
    return this.#meaning?.similarity(text, name) ?? 0;
  }

  /** All records in static order. */
  *records(): Generator<StoredRecord> {
    for (const offset of this.#offsets) yield readRecord(this.#recordAt(offset));
  }

  /** Adds names of other languages and proposals by meaning to the foods that have the words. */
  #answer(
    found: WordHits,
    asked: {
      readonly query: string;
      readonly limit: number;
      readonly languages?: readonly FoodLanguage[] | undefined;
      readonly filter?: FoodCheck | undefined;
    },
  ): FoodHit[] {
    const { query, limit, languages = [], filter } = asked;
    const inPlay = languages.length === 0 ? found : this.#inPlay(found, query, languages);
    const isKnown = (isUnfinished: boolean) => this.#searchIndex.knows(query, isUnfinished);
    const accepts = filter?.accepts;
    const named = this.#localNames.withLocal(inPlay, query, { limit, languages, isKnown, accepts });
    const proposed = withProposals(named, this.#meaning, { query, limit });
    const accepted = accepts === undefined ? proposed : proposed.filter(({ document }) => accepts(document));
    return this.#toFoods(accepted, query, limit, accepts);
  }

  /** Without foods that only resemble the query by words of languages that nobody asked for. */
  #inPlay({ hits, complete }: WordHits, query: string, languages: readonly FoodLanguage[]): WordHits {
    const isMeant = ({ document, score }: SearchHit) =>
      score >= SAME_NAME || isInPlay(query, this.#foodAt(document), languages);
    const kept = hits.filter(isMeant);
    return {
      hits: kept,
      complete: kept.length === hits.length ? complete : hits.slice(0, complete).filter(isMeant).length,
    };
  }

  #toFoods(
    found: readonly SearchHit[],
    query: string,
    limit: number,
    accepts?: (document: number) => boolean,
  ): FoodHit[] {
    const hits: FoodHit[] = [];
    for (const { document, score, similarity } of found) {
      const food = this.#foodAt(document);
      hits.push(similarity === undefined ? { food, score } : { food, score, similarity });
    }
    const barcode = typedBarcode(query);
    const match = barcode === undefined ? undefined : this.findByBarcode(barcode);
    if (match === undefined || !('food' in match)) return hits;
    const document = accepts && this.#documentAt(this.#offsetOfId(match.food.id));
    if (document !== undefined && !accepts!(document)) return hits;
    const first = { food: match.food, score: Number.POSITIVE_INFINITY };
    return [first, ...hits.filter(({ food }) => food.id !== match.food.id)].slice(0, limit);
  }

  #foodAt(document: number): Food {
    const record = readRecord(this.#recordAt(this.#offsets[document]!));
    if (!('food' in record)) throw new RangeError(`Document ${document} is not a food`);
    return record.food;
  }

  #toIndexOptions({ floor, favourites = [], work, filter }: SearchOptions): IndexOptions {
    return {
      work,
      accepts: filter?.accepts,
      ...(floor !== undefined && { floor }),
      favourites: favourites.flatMap(({ id, timesEaten }) => {
        const document = this.#documentAt(this.#offsetOfId(id));
        return document === undefined ? [] : [{ document, timesEaten }];
      }),
    };
  }

  /** Offsets ascend with the documents. Known products follow after the searched documents. */
  #documentAt(offset: number): number | undefined {
    const { documents } = this.#searchIndex;
    let low = 0;
    let high = documents;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#offsets[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low < documents && this.#offsets[low] === offset ? low : undefined;
  }

  /** Offset of the food with this id, or of the food it was merged into; otherwise `NOT_FOUND`. */
  #offsetOfId(id: string): number {
    const parts = parseFoodId(id);
    if (parts === undefined) return NOT_FOUND;
    const sought = writeId(this.#soughtId, parts);
    return this.#ids.find(hashId(sought, BUCKET_SEED), hashId(sought, FINGERPRINT_SEED), (candidate) =>
      hasId(this.#recordAt(candidate), sought),
    );
  }

  #offsetsOf(gtin: Gtin): number[] {
    const number = Number(gtin);
    return this.#gtins.findAll(
      hashNumber(number, BUCKET_SEED),
      hashNumber(number, FINGERPRINT_SEED),
      (offset) => readHead(this.#recordAt(offset)).gtin === number,
      MAX_SAME_NUMBER,
    );
  }

  /** One reader serves all look-ups, because each finishes before the next begins. */
  #recordAt(offset: number): RecordBytesReader {
    this.#records.position = offset * RECORD_ALIGNMENT;
    return this.#records;
  }
}

/** The first name whose language the source states to be this one. */
function statedName({ name, aliases, nameLanguages = [] }: Food, language: FoodLanguage): string | undefined {
  const at = nameLanguages.findIndex((bits) => (bits & languageBit(language)) !== 0);
  return at === -1 ? undefined : at === 0 ? name : aliases[at - 1];
}

function capitalised(name: string, language: FoodLanguage): string {
  const [initial = ''] = name;
  return initial.toLocaleUpperCase(language) + name.slice(initial.length);
}

/** Returns the sections whose names have this prefix, without it. */
function sectionsWith(prefix: string, views: ReadonlyMap<string, SectionArray>): SearchSections {
  return Object.fromEntries(
    [...views]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, values]) => [name.slice(prefix.length), values]),
  );
}
