import { parseObjectKey } from '../../objects/object-key.ts';
import type { ListedObject } from '../../objects/object-store.ts';

/**
 * The few elements of S3's XML that matter here. Their text has nothing to unescape: keys, numbers, times and codes.
 */
const CONTENTS = /<Contents>([\s\S]*?)<\/Contents>/g;

/** The objects of a ListObjectsV2 answer. */
export function parseListing(xml: string): ListedObject[] {
  return [...xml.matchAll(CONTENTS)].map(([, object]) => ({
    key: parseObjectKey(required(object!, 'Key')),
    sizeBytes: Number(required(object!, 'Size')),
    storedAtMs: Date.parse(required(object!, 'LastModified')),
  }));
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
