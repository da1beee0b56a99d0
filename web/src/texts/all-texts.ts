import { LANGUAGE_CODES, type Language } from './languages.ts';
import { loadTable, PARTS, type Texts } from './tables.ts';

/** All texts of the page by language, of every part: for tests and tools. The page loads them part by part. */
export const ALL_TEXTS = Object.fromEntries(
  await Promise.all(
    LANGUAGE_CODES.map(async (language) => [
      language,
      Object.assign({}, ...(await Promise.all(PARTS.map((part) => loadTable(part, language))))),
    ]),
  ),
) as Readonly<Record<Language, Texts>>;
