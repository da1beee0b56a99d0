import { decodeXML } from 'entities/decode';
import { isObjectKey, type ListedObject } from '../object-store.ts';

/**
 * The few elements of S3's XML that matter here. Their text has nothing to unescape: keys of this program, numbers, times
 * and codes. Only a token may be anything.
 */
const CONTENTS = /<Contents>([\s\S]*?)<\/Contents>/g;

export interface Listing {
  /** The listed objects, without names that are no keys, such as "folders" of a console or files of others. */
  readonly objects: readonly ListedObject[];
  /** Asks for what follows; undefined at the end. */
  readonly nextToken: string | undefined;
}

/** A ListObjectsV2 answer. */
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

/** `NoSuchKey`, `SignatureDoesNotMatch`, …; undefined for an answer that is no error of S3's. */
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
