import { counted } from '../base/texts.ts';

export interface GreetingFacts {
  readonly url: string;
  /** Undefined while the catalogue has to be mended. */
  readonly foods: number | undefined;
  readonly keyFile: string;
  /** The text of the first key, if this start created it. */
  readonly firstKey?: string | undefined;
  /** The link by which the first owner joins; absent if an owner exists, and without a page. */
  readonly ownerLink?: { readonly text: string; readonly file: string } | undefined;
  /** Whether the file of the first key still exists. */
  readonly isKeyKept: boolean;
  /** Whether a person reads the output. Otherwise it may become part of a log, which must not contain a key. */
  readonly isTerminal: boolean;
}

/** The first lines of a listening service. */
export function greeting(facts: GreetingFacts): string {
  const { url, foods, keyFile, firstKey, isKeyKept, ownerLink, isTerminal } = facts;
  const lines = [
    `Larder listens on ${url} and serves ${foods === undefined ? 'the diary; foods follow when the catalogue is mended' : counted(foods, 'food')}.`,
  ];
  // A service that listens on all addresses is opened at localhost.
  const here = url.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//localhost:');
  const credential = isTerminal && firstKey !== undefined ? firstKey : `$(cat ${keyFile})`;
  if (isTerminal && firstKey !== undefined) {
    lines.push(`Your first API key, shown this once and kept in ${keyFile}:`, '', `  ${firstKey}`, '');
  } else if (isKeyKept) {
    lines.push(`The first API key is kept in ${keyFile}.`);
  }
  if (firstKey !== undefined) {
    lines.push(
      'Try it:',
      `  curl -H "Authorization: Bearer ${credential}" "${here}/v1/foods/search?q=banana&limit=3"`,
    );
  }
  if (ownerLink !== undefined)
    lines.push(
      isTerminal
        ? `Open the page as its owner, once: ${ownerLink.text}`
        : `The link that makes you the owner of the page is kept in ${ownerLink.file}.`,
    );
  lines.push(`The API, to read and to try: ${here}/docs`);
  return `${lines.join('\n')}\n`;
}
