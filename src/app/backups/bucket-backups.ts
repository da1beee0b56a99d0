import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '@larder/core/errors.ts';
import { type BucketAccess, S3Bucket } from '../../blobs/s3/bucket.ts';
import { parseKeys, parseUploadId } from '../../blobs/s3/xml.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { type BackupStore, CHECKSUM, checksumLine, type KeptBackup, timeOfBackup } from './backup-store.ts';

/** S3 takes at least 5 MiB for each part but the last, and at most 10,000 parts: backups of up to 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;

export interface BucketBackupsOptions {
  readonly bucket: BucketAccess;
  /** Begins each key; ends with `/` or is empty. */
  readonly prefix: string;
  readonly dataDir: string;
  readonly partBytes?: number;
}

/** Backups in a bucket of any S3-compatible store. */
export class BucketBackups implements BackupStore {
  readonly #bucket: S3Bucket;
  readonly #prefix: string;
  readonly #folder: string;
  readonly #partBytes: number;
  readonly #name: string;

  constructor({ bucket, prefix, dataDir, partBytes = PART_BYTES }: BucketBackupsOptions) {
    this.#partBytes = partBytes;
    this.#bucket = new S3Bucket(bucket);
    this.#name = bucket.bucket;
    this.#prefix = prefix;
    this.#folder = join(dataDir, 'downloads');
  }

  async list(): Promise<readonly KeptBackup[]> {
    const kept: KeptBackup[] = [];
    for (let after: string | undefined; ; ) {
      const query = {
        'list-type': '2',
        prefix: this.#prefix,
        ...(after !== undefined && { 'start-after': after }),
      };
      const keys = parseKeys(await this.#ask('GET', `?${new URLSearchParams(query)}`));
      if (keys.length === 0) return kept.sort((a, b) => b.atMs - a.atMs);
      for (const { key, sizeBytes } of keys) {
        const name = key.slice(this.#prefix.length);
        const atMs = timeOfBackup(name);
        if (atMs !== undefined) kept.push({ name, bytes: sizeBytes, atMs });
      }
      after = keys.at(-1)!.key;
    }
  }

  async keep(name: string, write: (file: string) => Promise<string>): Promise<void> {
    const file = await this.#newFile();
    try {
      const sha256 = await write(file);
      await this.#send(file, this.#prefix + name);
      await this.#ask('PUT', this.#prefix + name + CHECKSUM, Buffer.from(checksumLine(sha256, name)));
    } finally {
      await rm(file, { force: true });
    }
  }

  async fetch(name: string): Promise<string> {
    const file = await this.#newFile();
    for (const ending of ['', CHECKSUM]) {
      const answer = await this.#told(this.#bucket.send('GET', this.#prefix + name + ending));
      if (ending === '') await pipeline(answer, createWriteStream(file, { mode: 0o600 }));
      else await writeFile(file + ending, await text(answer));
    }
    return file;
  }

  async remove(name: string): Promise<void> {
    for (const ending of ['', CHECKSUM]) await this.#ask('DELETE', this.#prefix + name + ending);
  }

  async #newFile(): Promise<string> {
    await makeFolder(this.#folder);
    return join(this.#folder, `backup-${randomUUID()}.db`);
  }

  async #send(file: string, key: string): Promise<void> {
    const { size } = await stat(file);
    if (size > this.#partBytes) await this.#sendInParts(file, size, key);
    else await this.#ask('PUT', key, new Uint8Array(await readFile(file)));
  }

  /** So that the file is never in memory as a whole. */
  async #sendInParts(file: string, size: number, key: string): Promise<void> {
    const uploadId = parseUploadId(await this.#ask('POST', `${key}?uploads=`));
    const upload = new URLSearchParams({ uploadId });
    const handle = await open(file);
    try {
      const tags: string[] = [];
      for (let at = 0; at < size; at += this.#partBytes) {
        const part = Buffer.alloc(Math.min(this.#partBytes, size - at));
        await handle.read(part, 0, part.length, at);
        const answer = await this.#told(
          this.#bucket.send('PUT', `${key}?partNumber=${tags.length + 1}&${upload}`, { body: part }),
        );
        tags.push(answer.headers.etag ?? '');
        answer.resume();
      }
      const parts = tags.map(
        (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      );
      const list = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
      // S3 may answer 200 and tell of a failure in the body.
      const outcome = await this.#ask('POST', `${key}?${upload}`, Buffer.from(list));
      if (outcome.includes('<Error>')) throw new OperatorError(`The object store did not keep ${key}.`);
    } catch (error) {
      // Otherwise the parts stay and cost space.
      await this.#ask('DELETE', `${key}?${upload}`).catch(() => {});
      throw error;
    } finally {
      await handle.close();
    }
  }

  async #ask(method: string, target: string, body?: Uint8Array<ArrayBuffer>): Promise<string> {
    return text(await this.#told(this.#bucket.send(method, target, body === undefined ? {} : { body })));
  }

  /** The error names the setting, since no other part of an embedded service has an object store. */
  async #told<T>(request: Promise<T>): Promise<T> {
    return request.catch((cause) => {
      throw new OperatorError(
        `The bucket ${this.#name} for backups cannot be used (LARDER_BACKUP_TO): ${(cause as Error).message}.`,
        { cause },
      );
    });
  }
}
