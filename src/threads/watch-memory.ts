import { readFileSync } from 'node:fs';

const EVERY_MS = 250;
const PAGE_BYTES = 4096;

/**
 * Watches the resident memory of a process until it exceeds the limit or the returned function is called.
 * Works on Linux only.
 */
export function watchMemory(
  pid: number | undefined,
  maxBytes: number,
  onTooMuch: (error: Error) => void,
): () => void {
  if (process.platform !== 'linux' || pid === undefined) return () => {};
  const timer = setInterval(() => {
    const bytes = residentBytes(pid);
    if (bytes <= maxBytes) return;
    clearInterval(timer);
    onTooMuch(new Error(`the process took ${bytes} bytes of memory, more than ${maxBytes}`));
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** 0 if the process has ended. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
