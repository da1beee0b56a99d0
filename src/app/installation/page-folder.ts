import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bucketAddress } from '../../blobs/s3/bucket-address.ts';
import type { Config } from '../../config/config.ts';
import { PageFiles } from '../../http/service/page-files.ts';

const WEB = join(import.meta.dirname, '../../../web');
const DIST = join(WEB, 'dist');

/** The program that builds the page; absent in the image, which contains only the built page. */
export const PAGE_BUILDER = join(WEB, 'build.ts');
/** Held by the process that builds. */
export const PAGE_LOCK = join(WEB, '.dist-lock');

/** The files of the page; undefined if none is served. */
export function openPageFiles(config: Config): PageFiles | undefined {
  return config.page === 'on' ? PageFiles.open(DIST, uploadOrigin(config)) : undefined;
}

/** Origin of signed URLs; undefined if the service itself accepts uploads. */
function uploadOrigin(config: Config): string | undefined {
  return config.mode === 'cluster' ? new URL(bucketAddress(config.s3)).origin : undefined;
}

/** Whether a page is or will be served: some installations have none. */
export function hasPage({ page }: Config): boolean {
  return page === 'on' && (existsSync(PAGE_BUILDER) || existsSync(DIST));
}
