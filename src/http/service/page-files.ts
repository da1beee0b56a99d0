import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { preferredEncoding } from '../server/connection/accept-headers.ts';

/** Name of the list that `web/build.ts` writes beside the files. */
const LIST = 'files.json';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/gzip',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** Encodings of the stored files, the shortest first. */
const ENCODINGS = ['br', 'gzip'] as const;
const ENDS = { br: '.br', gzip: '.gz', identity: '' };

interface ListedFile {
  readonly bytes: number;
  readonly gzip?: number;
  readonly br?: number;
}

export interface PageFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The files of the built page. */
export class PageFiles {
  /** Origin that photos are uploaded to, if that is not the service. */
  readonly uploads: string | undefined;
  readonly #folder: string;
  readonly #files: Readonly<Record<string, ListedFile>>;
  readonly #reading = new Map<string, Promise<Buffer>>();
  readonly #known = new Map<string, WeakRef<Buffer>>();

  private constructor(
    folder: string,
    uploads: string | undefined,
    files: Readonly<Record<string, ListedFile>>,
  ) {
    this.#folder = folder;
    this.uploads = uploads;
    this.#files = files;
  }

  /** Undefined if the page was not built. */
  static open(folder: string, uploads?: string): PageFiles | undefined {
    const list = join(folder, LIST);
    if (!existsSync(list)) return undefined;
    return new PageFiles(folder, uploads, JSON.parse(readFileSync(list, 'utf8')).files);
  }

  /**
   * A file of the list, in an encoding from `Accept-Encoding`; undefined for every other name, so that no
   * path leaves the folder.
   */
  async read(name: string, accepted?: string): Promise<PageFile | undefined> {
    if (!Object.hasOwn(this.#files, name)) return undefined;
    const file = this.#files[name]!;
    const available = ENCODINGS.filter((each) => file[each] !== undefined);
    const encoding = preferredEncoding(accepted, available);
    const headers: Record<string, string> = {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    };
    if (file.gzip !== undefined) headers['vary'] = 'accept-encoding';
    if (encoding !== 'identity') headers['content-encoding'] = encoding;
    return { body: await this.#read(name + ENDS[encoding]), headers };
  }

  /** Answers that are under way share the bytes of a file: clients that read slowly, or not at all, take the memory of it once. */
  #read(name: string): Promise<Buffer> {
    const reading = this.#reading.get(name);
    if (reading !== undefined) return reading;
    const bytes = this.#known.get(name)?.deref();
    if (bytes !== undefined) return Promise.resolve(bytes);
    const begun = readFile(join(this.#folder, name)).finally(() => this.#reading.delete(name));
    this.#reading.set(name, begun);
    void begun.then(
      (read) => this.#known.set(name, new WeakRef(read)),
      () => {},
    );
    return begun;
  }
}
