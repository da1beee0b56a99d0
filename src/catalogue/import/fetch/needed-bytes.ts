/** Import and compile write a segment and a catalogue, each well under 1 GB for all foods there are. */
const MAX_COMPILE_BYTES = 2 * 1024 ** 3;
/** What they need of a small export: text that was compressed, in two copies. */
const COMPILE_BYTES_PER_DOWNLOADED = 4;

/** What the rest of a file of `totalBytes`, of which `presentBytes` are here, and what is made of it will take. */
export function neededBytes(totalBytes: number, presentBytes: number): number {
  return totalBytes - presentBytes + Math.min(MAX_COMPILE_BYTES, totalBytes * COMPILE_BYTES_PER_DOWNLOADED);
}
