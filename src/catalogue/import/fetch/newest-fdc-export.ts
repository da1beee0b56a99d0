import { OperatorError } from '../../../errors.ts';

const ZIP_ADDRESS = /[^\s"'<>()\\]+\.zip\b/gi;
/** `FoodData_Central_csv_2025-04-24.zip`; the bundles of a single data type carry its name before `csv`. */
const FULL_CSV_EXPORT = /^FoodData_Central_csv_(\d{4}-\d{2}(?:-\d{2})?)\.zip$/i;

/**
 * The newest "Full Download of All Data Types" (CSV) among the addresses in a page. The page is read as text, not
 * as markup: its links may stand in attributes or in a script.
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
