const BYTES_PER_MEGABYTE = 1_000_000;

/** "351.4 MB" */
export function megabytes(bytes: number): string {
  return `${(bytes / BYTES_PER_MEGABYTE).toFixed(1)} MB`;
}
