/** A moment as answers write it: ISO 8601 in UTC, to the millisecond. */
export function isoTime(unixMs: number): string {
  return new Date(unixMs).toISOString();
}

/** The same as JSON, in its quotes. */
export function isoTimeJson(unixMs: number): string {
  return `"${isoTime(unixMs)}"`;
}
