import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { Logger } from 'pino';
import { pause } from '../../base/pause.ts';
import type { Config } from '../../config/config.ts';
import { LockedError, ProcessLock } from '../../files/process-lock.ts';
import { PAGE_BUILDER, PAGE_LOCK } from '../installation/page-folder.ts';

const TIMEOUT_MS = 120_000;
const WAIT_STEP_MS = 50;

/**
 * Builds the page if it is missing or its sources have changed: that takes a second, and downloads nothing.
 * If several services start at the same time, one of them builds. A service runs without a page if that
 * fails.
 */
export async function buildPage({ page }: Config, log: Logger): Promise<void> {
  if (page === 'off' || !existsSync(PAGE_BUILDER)) return;
  try {
    const { isBuilt }: { isBuilt(): boolean } = await import(pathToFileURL(PAGE_BUILDER).href);
    if (isBuilt()) return;
    const lock = await takeLock();
    try {
      if (!isBuilt()) await build(log);
    } finally {
      lock.release();
    }
  } catch (error) {
    log.warn(
      { reason: reasonOf(error) },
      `the page could not be built, and the API is served without it: run \`npm ci --omit=dev && npm run build-page\` in ${dirname(dirname(PAGE_BUILDER))} as the owner of that folder, or set LARDER_PAGE=off`,
    );
  }
}

async function build(log: Logger): Promise<void> {
  const startMs = performance.now();
  await promisify(execFile)(process.execPath, [PAGE_BUILDER], { timeout: TIMEOUT_MS });
  log.info({ ms: Math.round(performance.now() - startMs) }, 'the page is built');
}

/** Waits for another process that builds, without blocking this one. */
async function takeLock(): Promise<ProcessLock> {
  for (const deadlineMs = performance.now() + TIMEOUT_MS; ; ) {
    try {
      return ProcessLock.acquire({ file: PAGE_LOCK, refusal: () => 'Another process has not built it.' });
    } catch (error) {
      if (!(error instanceof LockedError) || performance.now() > deadlineMs) throw error;
      await pause(WAIT_STEP_MS);
    }
  }
}

/** The error in the builder's output, without its stack. */
function reasonOf(error: unknown): string {
  const { stderr = '', message } = error as { stderr?: string; message: string };
  const text = stripVTControlCharacters(stderr);
  return /^Build failed with .*\s+([\s\S]*?)\n {4}at /m.exec(text)?.[1]?.trim() ?? message;
}
