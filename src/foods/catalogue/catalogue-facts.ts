import { type FoodFacts, mergeFacts } from '@larder/core/food-facts.ts';
import { SEGMENT_FACTS_PREFIX, type Section } from './catalogue-file.ts';
import {
  blockOf,
  DamagedFactsError,
  FactsFileReader,
  factsIn,
  openParts,
  type StoredFacts,
} from './facts-file.ts';
import { categoryTag } from './facts-terms.ts';

/**
 * The facts of a catalogue, read from its file when they are asked for.
 *
 * | Section | Content |
 * | --- | --- |
 * | `facts.of.SEGMENT` | the facts of an import (`facts-file.ts`) |
 * | `facts.segments` | `FactsSegment`s as JSON |
 * | `facts.places` | `u32` for each document: its row among the records of all imports, or `JOINED` and an offset |
 * | `facts.joined` | at that offset the number of rows that were merged, and the rows, the preferred first |
 * | `facts.terms`, `facts.terms.ends` | the filter terms, sorted by UTF-16, and where each ends |
 * | `facts.lists`, `facts.lists.ends` | for each term the differences between its documents less one, as varints, and where they end |
 */
export interface FactsSegment {
  readonly name: string;
  /** The number of its first record among those of all imports. */
  readonly firstRow: number;
  readonly records: number;
}

/** From here on a place is an offset in `facts.joined`. */
export const JOINED = 0x8000_0000;

/** Decompressed blocks that are kept, some 50 kB each. */
const KEPT_BLOCKS = 32;
/** Combinations of filters that are kept, a bit for each document each. */
const KEPT_FILTERS = 16;

/** Conditions of foods that a search may find. A food of which one is unknown is not found. */
export interface FoodFilter {
  readonly diet?: 'vegan' | 'vegetarian' | undefined;
  /** Allergens that the food neither contains nor may have traces of. */
  readonly without?: readonly string[] | undefined;
  /** Tags of countries, of which one is enough. */
  readonly countries?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly grades?: readonly string[] | undefined;
  /** Origins, or kinds of sources. */
  readonly sources?: readonly string[] | undefined;
}

/** Facts, and the ids of the records that they are of, the preferred first. */
export interface FoundFacts extends FoodFacts {
  readonly ids: readonly string[];
}

/** Whether a filter needs facts. */
export function asksForFacts({ sources: _, ...byFacts }: FoodFilter): boolean {
  return Object.values(byFacts).some((value) => value !== undefined);
}

interface Opened {
  readonly read: (name: string, offset?: number, length?: number) => Promise<Buffer>;
  readonly segments: readonly (FactsSegment & { readonly reader: FactsFileReader })[];
  close(): Promise<void>;
}

export class CatalogueFacts {
  readonly #file: string;
  readonly #sections: ReadonlyMap<string, Section>;
  /** Number of documents that search finds. */
  readonly #documents: number;
  readonly #blocks = new RecentValues<Promise<Buffer>>(KEPT_BLOCKS);
  readonly #filters = new RecentValues<Promise<Bits>>(KEPT_FILTERS);
  #opened: Promise<Opened> | undefined;
  #terms: Promise<Terms> | undefined;

  /** Undefined if the catalogue has none. */
  static of(parts: {
    readonly file: string;
    readonly sections: readonly Section[];
    readonly documents: number;
  }): CatalogueFacts | undefined {
    const sections = new Map(parts.sections.map((section) => [section.name, section]));
    return sections.has('facts.places') ? new CatalogueFacts({ ...parts, sections }) : undefined;
  }

  private constructor(parts: {
    readonly file: string;
    readonly sections: ReadonlyMap<string, Section>;
    readonly documents: number;
  }) {
    this.#file = parts.file;
    this.#sections = parts.sections;
    this.#documents = parts.documents;
  }

  /** The facts of a document, which belong to one of `ids`. Throws a `DamagedFactsError`. */
  async find(document: number, ids: readonly string[]): Promise<FoundFacts | undefined> {
    const opened = await this.#open();
    const place = (await opened.read('facts.places', 4 * document, 4)).readUInt32LE(0);
    const rows = place < JOINED ? [place] : await joinedRows(opened, place - JOINED);
    const found: StoredFacts[] = [];
    for (const row of rows) {
      const facts = await this.#factsOf(opened, row);
      if (facts === undefined) continue;
      if (!ids.includes(facts.id)) throw new DamagedFactsError();
      found.push(facts);
    }
    if (found.length === 0) return undefined;
    const { id: _, ...facts } = found.reduce((first, second) => ({
      ...mergeFacts(first, second),
      id: first.id,
    }));
    return { ...facts, ids: found.map(({ id }) => id) };
  }

  /** Whether a document fulfils the filter, apart from its sources. */
  async accepting({ sources: _, ...filter }: FoodFilter): Promise<(document: number) => boolean> {
    const bits = await this.#filters.get(JSON.stringify(filter), () => this.#bitsOf(filter));
    return (document) => (bits[document >>> 5]! & (1 << (document & 31))) !== 0;
  }

  /** Closes the file after pending reads. */
  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#openFile().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #openFile(): Promise<Opened> {
    const { read: readAt, close } = await openParts(this.#file);
    const read: Opened['read'] = (name, offset = 0, length) => {
      const section = this.#sections.get(name);
      if (section === undefined) throw new DamagedFactsError();
      return readAt(section.offset + offset, length ?? section.length - offset);
    };
    const segments = JSON.parse((await read('facts.segments')).toString()) as readonly FactsSegment[];
    return {
      read,
      close,
      segments: await Promise.all(
        segments.map(async (segment) => {
          const section = this.#sections.get(SEGMENT_FACTS_PREFIX + segment.name);
          if (section === undefined) throw new DamagedFactsError();
          return { ...segment, reader: await FactsFileReader.open(readAt, section) };
        }),
      ),
    };
  }

  async #factsOf({ segments }: Opened, row: number): Promise<StoredFacts | undefined> {
    const segment = segments.find(({ firstRow, records }) => firstRow <= row && row < firstRow + records);
    if (segment === undefined) return undefined;
    const record = row - segment.firstRow;
    const block = blockOf(record);
    const bytes = await this.#blocks.get(`${segment.firstRow}.${block}`, () => segment.reader.block(block));
    return factsIn(bytes, record);
  }

  async #bitsOf({ diet, without = [], countries, categories, grades }: FoodFilter): Promise<Bits> {
    const opened = await this.#open();
    this.#terms ??= Terms.read(opened.read);
    const terms = await this.#terms;
    const anyOf = async (names: readonly string[]) => {
      const bits = new Uint32Array((this.#documents >>> 5) + 1);
      for (const name of names) await terms.addTo(bits, name);
      return bits;
    };
    let all: Bits | undefined;
    const require = (bits: Bits) => {
      if (all === undefined) all = bits;
      else for (let at = 0; at < bits.length; at++) all[at]! &= bits[at]!;
    };
    const exclude = (bits: Bits) => {
      for (let at = 0; at < bits.length; at++) all![at]! &= ~bits[at]!;
    };
    if (diet !== undefined) {
      require(await anyOf([diet]));
      exclude(await anyOf([`!${diet}`]));
    }
    if (without.length > 0) {
      require(await anyOf(['stated']));
      exclude(await anyOf(without.map((allergen) => `allergen ${allergen}`)));
    }
    if (countries) require(await anyOf(countries.map((country) => `country ${country}`)));
    if (categories) require(await anyOf(categories.map((category) => `category ${categoryTag(category)}`)));
    if (grades) require(await anyOf(grades.map((grade) => `grade ${grade}`)));
    return all ?? new Uint32Array((this.#documents >>> 5) + 1).fill(0xffff_ffff);
  }
}

async function joinedRows({ read }: Opened, offset: number): Promise<readonly number[]> {
  const count = (await read('facts.joined', 4 * offset, 4)).readUInt32LE(0);
  const bytes = await read('facts.joined', 4 * offset + 4, 4 * count);
  return Array.from({ length: count }, (_, at) => bytes.readUInt32LE(4 * at));
}

/** A bit for each document. */
type Bits = Uint32Array;

/** The names of the filter terms, in memory; their lists are read. */
class Terms {
  readonly #read: Opened['read'];
  readonly #texts: Buffer;
  readonly #textEnds: Buffer;
  readonly #listEnds: Buffer;

  static async read(read: Opened['read']): Promise<Terms> {
    const [texts, textEnds, listEnds] = await Promise.all([
      read('facts.terms'),
      read('facts.terms.ends'),
      read('facts.lists.ends'),
    ]);
    return new Terms({ read, texts, textEnds, listEnds });
  }

  private constructor(parts: { read: Opened['read']; texts: Buffer; textEnds: Buffer; listEnds: Buffer }) {
    this.#read = parts.read;
    this.#texts = parts.texts;
    this.#textEnds = parts.textEnds;
    this.#listEnds = parts.listEnds;
  }

  /** Sets the bits of the documents with this term. Known products follow after the documents that search finds. */
  async addTo(bits: Bits, name: string): Promise<void> {
    const at = this.#find(name);
    if (at === undefined) return;
    const start = startOf(this.#listEnds, at);
    const list = await this.#read('facts.lists', start, endOf(this.#listEnds, at) - start);
    let document = -1;
    for (let next = 0; next < list.length; ) {
      let difference = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = list[next++]!;
        difference |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      document += difference + 1;
      const word = document >>> 5;
      if (word >= bits.length) return;
      bits[word]! |= 1 << (document & 31);
    }
  }

  #find(name: string): number | undefined {
    let low = 0;
    let high = this.#textEnds.length / 4;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#textAt(middle) < name) low = middle + 1;
      else high = middle;
    }
    return low < this.#textEnds.length / 4 && this.#textAt(low) === name ? low : undefined;
  }

  #textAt(at: number): string {
    return this.#texts.toString('utf8', startOf(this.#textEnds, at), endOf(this.#textEnds, at));
  }
}

function endOf(ends: Buffer, at: number): number {
  return ends.readUInt32LE(4 * at);
}

function startOf(ends: Buffer, at: number): number {
  return at === 0 ? 0 : endOf(ends, at - 1);
}

/** The values that were asked for last. A value whose promise fails is forgotten. */
class RecentValues<T extends Promise<unknown>> {
  readonly #values = new Map<string, T>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string, make: () => T): T {
    const known = this.#values.get(key);
    this.#values.delete(key);
    const value = known ?? make();
    if (known === undefined) value.catch(() => this.#values.delete(key));
    this.#values.set(key, value);
    if (this.#values.size > this.#limit) this.#values.delete(this.#values.keys().next().value!);
    return value;
  }
}
