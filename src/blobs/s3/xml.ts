import { decodeXML } from 'entities/decode';
import { isObjectKey, type ListedObject } from '../object-store.ts';

/**
 * The few elements of S3's XML that are used. Their text needs no unescaping: keys of this program, numbers,
 * times and codes. Only a token may contain any character.
 */
const CONTENTS = /<Contents>([\s\S]*?)<\/Contents>/g;

export interface Listing {
  /** The listed objects, except for names that are not keys, such as "folders" of a console or other files. */
  readonly objects: readonly ListedObject[];
  /** Token for the next page; undefined at the end. */
  readonly nextToken: string | undefined;
}

/** Parses a ListObjectsV2 response. */
export function parseListing(xml: string): Listing {
  const token = textOf(xml, 'NextContinuationToken');
  return {
    objects: [...xml.matchAll(CONTENTS)].flatMap(([, object]) => toListed(object!)),
    nextToken: token === undefined || token === '' ? undefined : decodeXML(token),
  };
}

function toListed(object: string): ListedObject[] {
  const key = required(object, 'Key');
  if (!isObjectKey(key)) return [];
  const sizeBytes = Number(required(object, 'Size'));
  return [{ key, sizeBytes, storedAtMs: Date.parse(required(object, 'LastModified')) }];
}

/** `NoSuchKey`, `SignatureDoesNotMatch`, …; undefined for a response that is not an S3 error. */
export function parseErrorCode(xml: string): string | undefined {
  return textOf(xml, 'Code');
}

function required(xml: string, name: string): string {
  const text = textOf(xml, name);
  if (text === undefined) throw new Error(`object storage listed an object without ${name}`);
  return text;
}

function textOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

/** All keys of a ListObjectsV2 response, valid for this service or not. */
export function parseKeys(xml: string): readonly { readonly key: string; readonly sizeBytes: number }[] {
  return Array.from(xml.matchAll(CONTENTS), ([, object]) => ({
    key: decodeXML(required(object!, 'Key')),
    sizeBytes: Number(required(object!, 'Size')),
  }));
}

/** The id of a multipart upload that was begun. */
export function parseUploadId(xml: string): string {
  return decodeXML(required(xml, 'UploadId'));
}
