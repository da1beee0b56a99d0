export interface BucketAddress {
  /** Address of the store, without the bucket: `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Position of the bucket's name: `path` (`endpoint/bucket/key`) or `host` (`bucket.endpoint/key`). */
  readonly addressing: 'path' | 'host';
}

/** Returns the address of all keys of a bucket. */
export function bucketAddress({ endpoint, bucket, addressing }: BucketAddress): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/$/, '');
  return addressing === 'path'
    ? `${url.origin}${path}/${bucket}`
    : `${url.protocol}//${bucket}.${url.host}${path}`;
}
