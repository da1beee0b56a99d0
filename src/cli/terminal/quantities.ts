const BYTES_PER_MEGABYTE = 1_000_000;

/** "351.4 MB" */
export function megabytes(bytes: number): string {
  return `${(bytes / BYTES_PER_MEGABYTE).toFixed(1)} MB`;
}

/** A share in whole percent; what is there, but less than one, is not shown as nothing. */
export function percent(share: number): string {
  return share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;
}
