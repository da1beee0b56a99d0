import { basename, join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { readBounded } from '../../outgoing/bounded-response.ts';
import { type Download, download } from '../../outgoing/download.ts';
import { DOWNLOAD_LIMITS } from '../../outgoing/download-attempt.ts';
import { type AllowedServers, httpGet } from '../../outgoing/http-get.ts';
import type { OutgoingAddresses } from '../../outgoing/outgoing-addresses.ts';
import { removeDownload, removeStaleParts } from '../../outgoing/partial-file.ts';

const ZIP_ADDRESS = /[^\s"'<>()\\]+\.zip\b/gi;
/** `FoodData_Central_csv_2025-04-24.zip`; the bundles of a single data type carry its name before `csv`. */
const FULL_CSV_EXPORT = /^FoodData_Central_csv_(\d{4}-\d{2}(?:-\d{2})?)\.zip$/i;

/**
 * The newest "Full Download of All Data Types" (CSV) among the addresses in a page. The page is read as text, not
 * markup, because its links may be in attributes or scripts.
 */
export function newestFdcExport(page: string, pageUrl: URL): URL {
  let newest: { url: URL; date: string } | undefined;
  for (const [address] of page.matchAll(ZIP_ADDRESS)) {
    if (!URL.canParse(address, pageUrl.href)) continue;
    const url = new URL(address, pageUrl.href);
    const date = FULL_CSV_EXPORT.exec(url.pathname.split('/').at(-1)!)?.[1];
    if (date !== undefined && (newest === undefined || date > newest.date)) newest = { url, date };
  }
  if (newest === undefined) {
    throw new OperatorError(
      `${pageUrl} links no "FoodData_Central_csv_DATE.zip". Set LARDER_FDC_EXPORT_URL to the address of the ` +
        'full CSV download, or download it yourself and name the file: larder import fdc FILE.',
    );
  }
  return newest.url;
}

const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export interface ExportFetch
  extends Pick<Download, 'onProgress' | 'onTrouble' | 'signal' | 'limits' | 'disk' | 'pause'> {
  readonly origin: 'off' | 'fdc';
  /** Address of the export, or for `fdc` also of a page that links it. */
  readonly address: string;
  /** Other servers that redirects and the page's links may lead to. */
  readonly addresses: OutgoingAddresses;
  /** Folder for downloads, with a subfolder for each origin. */
  readonly folder: string;
}

/** A finished download. */
export interface FetchedExport {
  readonly url: string;
  readonly file: string;
  remove(): Promise<void>;
}

/** Downloads the newest export of an origin, continuing an earlier download of the same file. */
export async function fetchExport({
  origin,
  address,
  addresses,
  folder,
  ...rest
}: ExportFetch): Promise<FetchedExport> {
  const given = new URL(address);
  const reach = { home: given, addresses };
  const url =
    origin === 'fdc' && !given.pathname.endsWith('.zip')
      ? await findOnPage(given, { ...rest, reach })
      : given;
  const file = join(folder, origin, fileName(url));
  await removeStaleParts(file);
  await download({ ...rest, reach, url, target: file });
  return { url: url.href, file, remove: () => removeDownload(file) };
}

/** Reads a text of a server, such as a page that links an export. */
export async function fetchText(
  url: URL,
  {
    reach,
    limits = DOWNLOAD_LIMITS,
    signal,
  }: Pick<Download, 'limits' | 'signal'> & { reach: AllowedServers },
): Promise<string> {
  const response = await httpGet({ url, reach, limits, signal });
  if (response.statusCode !== 200) throw new Error(`it answers with status ${response.statusCode}`);
  return (await readBounded(response, MAX_PAGE_BYTES)).toString();
}

async function findOnPage(
  pageUrl: URL,
  options: Pick<Download, 'limits' | 'signal'> & { reach: AllowedServers },
): Promise<URL> {
  let page: string;
  try {
    page = await fetchText(pageUrl, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new OperatorError(
      `Could not read ${pageUrl}, where the newest export is looked up: ${(error as Error).message}. ` +
        'Set LARDER_FDC_EXPORT_URL to the address of the full CSV download to do without the page.',
      { cause: error },
    );
  }
  return newestFdcExport(page, pageUrl);
}

/** Only characters that every file system allows; the name cannot leave the folder. */
function fileName(url: URL): string {
  const name = basename(url.pathname)
    .replace(/[^\w.-]/g, '_')
    .replace(/^\.+/, '');
  return name === '' ? 'export' : name.slice(-100);
}
