const SIGNATURES = {
  gzip: [[0x1f, 0x8b]],
  zip: [
    [0x50, 0x4b, 0x03, 0x04],
    [0x50, 0x4b, 0x05, 0x06],
  ],
  parquet: [[0x50, 0x41, 0x52, 0x31]],
} as const;

export type FileKind = keyof typeof SIGNATURES;

export const SIGNATURE_BYTES = 4;

/** What a file of that name must be; undefined for names that promise nothing. */
export function kindByName(name: string): FileKind | undefined {
  if (name.endsWith('.gz')) return 'gzip';
  if (name.endsWith('.zip')) return 'zip';
  if (name.endsWith('.parquet')) return 'parquet';
  return undefined;
}

/** Whether a file that begins with these bytes can be of the kind. */
export function beginsLike(kind: FileKind, head: Uint8Array): boolean {
  return SIGNATURES[kind].some((signature) => signature.every((byte, at) => head[at] === byte));
}
