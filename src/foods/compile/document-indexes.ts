import { type Food, type Origin, parseFoodId } from '@larder/core/food.ts';
import { FOOD_LANGUAGES, type FoodLanguage, type LocalNames } from '@larder/core/food-languages.ts';
import { languageBit } from '@larder/core/name-languages.ts';
import { SearchIndexBuilder } from '@larder/search/index/index-builder.ts';
import type { SectionArray } from '@larder/search/index/sections.ts';
import { runAll } from '@larder/search/index/steps.ts';
import { MeaningIndexBuilder } from '@larder/search/meaning-index.ts';
import type { WordVectorSections } from '@larder/search/word-vectors.ts';
import { NameIndexBuilder } from '@larder/text/parse/names/name-index-builder.ts';
import {
  type CatalogueFileWriter,
  LOCAL_PREFIX,
  MEANING_PREFIX,
  NAMES_PREFIX,
  SEARCH_PREFIX,
} from '../catalogue/catalogue-file.ts';
import type { CatalogueInfo } from '../catalogue/catalogue-info.ts';
import type { StoredFood } from '../catalogue/food-record.ts';
import {
  copyId,
  localNamesOf,
  type RecordKeys,
  readKeys,
  readRecord,
} from '../catalogue/food-record-reader.ts';
import { MAX_ID_BYTES, writeId } from '../catalogue/food-record-writer.ts';
import {
  BUCKET_SEED,
  FINGERPRINT_SEED,
  HashIndexBuilder,
  hashId,
  hashNumber,
} from '../catalogue/hash-index.ts';
import { RecordBytesReader } from '../catalogue/record-bytes.ts';

/** The names of one language while its index is built. */
class OneLanguage {
  readonly search = new SearchIndexBuilder();
  readonly documents: number[] = [];
  readonly shown: string[] = [];
}

/** Collects the names of generic foods by language and builds the sections of `LocalNames`. */
class LocalNamesBuilder {
  readonly #languages = new Map<FoodLanguage, OneLanguage>();

  add(document: number, food: Food, localNames: LocalNames): void {
    for (const code of FOOD_LANGUAGES) {
      const [name, ...aliases] = namesIn(code, food, localNames);
      if (name === undefined) continue;
      const { brand, popularity } = food;
      const language = this.#languages.get(code) ?? new OneLanguage();
      this.#languages.set(code, language);
      language.search.add({ name, aliases, popularity, ...(brand !== undefined && { brand }) });
      language.documents.push(document);
      language.shown.push(name);
    }
  }

  /** The sections by name, `de.documents` for example. */
  *finish(): Generator<readonly [name: string, values: SectionArray]> {
    for (const [code, { search, documents, shown }] of this.#languages) {
      yield [`${code}.documents`, Uint32Array.from(documents)];
      const texts = shown.map((name) => Buffer.from(name));
      const starts = new Uint32Array(shown.length + 1);
      for (const [at, text] of texts.entries()) starts[at + 1] = starts[at]! + text.length;
      yield [`${code}.nameStarts`, starts];
      yield [`${code}.names`, new Uint8Array(Buffer.concat(texts))];
      for (const [name, values] of Object.entries(runAll(search.finishSmall()))) {
        yield [`${code}.search.${name}`, values];
      }
    }
  }
}

/** The food's names in a language, the usual one first. */
function namesIn(code: FoodLanguage, food: Food, localNames: LocalNames): string[] {
  const { name, aliases, nameLanguages = [] } = food;
  const bit = languageBit(code);
  const stated = [name, ...aliases].filter((_, at) => (nameLanguages[at]! & bit) !== 0);
  return [...new Set([...(localNames[code] ?? []), ...stated])];
}

/** Collects the indexes while documents are written, then writes them after the records. */
export class DocumentIndexes {
  /** Record offset of each document, in units of `RECORD_ALIGNMENT`. */
  readonly #offsets: Uint32Array;
  #documents = 0;
  readonly #reader = new RecordBytesReader(Buffer.alloc(0));
  readonly #id = Buffer.alloc(MAX_ID_BYTES);
  readonly #origins: Partial<Record<Origin, { foods: number; knownProducts: number }>> = {};
  readonly #ids: HashIndexBuilder;
  readonly #gtins: HashIndexBuilder;
  readonly #search = new SearchIndexBuilder();
  readonly #names = new NameIndexBuilder();
  readonly #localNames = new LocalNamesBuilder();
  readonly #meaning: MeaningIndexBuilder | undefined;

  constructor({ documents, words }: { documents: number; words?: WordVectorSections | undefined }) {
    this.#meaning = words && new MeaningIndexBuilder({ words });
    this.#offsets = new Uint32Array(documents);
    this.#ids = new HashIndexBuilder({ capacity: documents });
    this.#gtins = new HashIndexBuilder({ capacity: documents });
  }

  get counts(): Pick<CatalogueInfo, 'foods' | 'knownProducts' | 'origins'> {
    const foods = Object.values(this.#origins).reduce((sum, counts) => sum + counts.foods, 0);
    return { foods, knownProducts: this.#documents - foods, origins: this.#origins };
  }

  /** Adds the next document; `offset` is that of its record, in units of `RECORD_ALIGNMENT`. */
  add(offset: number, record: Buffer): void {
    this.#offsets[this.#documents++] = offset;
    this.#reader.reset(record, 0);
    const keys = readKeys(this.#reader);
    this.#reader.reset(record, 0);
    this.#addId(copyId(this.#reader, this.#id), offset);
    for (const id of keys.otherIds) this.#addId(writeId(this.#id, parseFoodId(id)!), offset);
    if (keys.gtin !== 0) {
      const hash = hashNumber(keys.gtin, BUCKET_SEED);
      this.#gtins.add(hash, hashNumber(keys.gtin, FINGERPRINT_SEED), offset);
    }
    this.#count(keys);
    if (keys.known) return;
    this.#search.add(keys);
    if (!isGeneric(keys)) return;
    this.#reader.reset(record, 0);
    const generic = readRecord(this.#reader) as StoredFood;
    const { food } = generic;
    this.#names.add(this.#documents - 1, { ...food, energy: food.per100.energy });
    this.#localNames.add(this.#documents - 1, food, localNamesOf(generic));
    this.#meaning?.add(this.#documents - 1, keys.name);
  }

  /** Writes the sections one by one, and frees each before the next is built. */
  writeTo(out: CatalogueFileWriter): void {
    out.addSection('places', this.#offsets);
    for (const [name, builder] of [
      ['id', this.#ids],
      ['gtin', this.#gtins],
    ] as const) {
      const { starts, entries } = builder.finish();
      out.addSection(`${name}.starts`, starts);
      out.addSection(`${name}.entries`, entries);
    }
    for (const [name, values] of Object.entries(this.#search.finish())) {
      out.addSection(SEARCH_PREFIX + name, values);
    }
    for (const [name, values] of Object.entries(this.#names.finish())) {
      out.addSection(NAMES_PREFIX + name, values);
    }
    for (const [name, values] of this.#localNames.finish()) out.addSection(LOCAL_PREFIX + name, values);
    for (const [name, values] of Object.entries(this.#meaning?.finish() ?? {})) {
      out.addSection(MEANING_PREFIX + name, values);
    }
  }

  #addId(id: Uint8Array, offset: number): void {
    this.#ids.add(hashId(id, BUCKET_SEED), hashId(id, FINGERPRINT_SEED), offset);
  }

  #count({ origin, known }: RecordKeys): void {
    this.#origins[origin] ??= { foods: 0, knownProducts: 0 };
    if (known) this.#origins[origin].knownProducts++;
    else this.#origins[origin].foods++;
  }
}

/** Foods of food tables, and the shipped ones: thousands, beside millions of products. */
function isGeneric({ origin, gtin }: RecordKeys): boolean {
  return origin === 'starter' || (origin !== 'off' && gtin === 0);
}
