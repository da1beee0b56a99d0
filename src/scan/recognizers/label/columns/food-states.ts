import { partsOf, type TextRow } from '../text/rows.ts';

/** Words in heads of the prepared food, whose values differ from those of the product as sold. */
const PREPARED =
  /\bprep(?:\b|ared\b|d\b|\.)|\bmade up\b|\bas consumed\b|\bcooked\b|\breconstituted\b|zubereite\p{L}+|zubereitung|verzehrfertig|trinkfertig|angerührt|(?<!\p{L})(?:gekocht|gegart)|pr[ée]par[ée]{1,2}(?!\p{L})|prêt à|(?<!\p{L})cuite?s?(?!\p{L})|[rR]econstitu\p{L}+|preparad[oa]|(?<!\p{L})co[cz]id[oa]s?(?!\p{L})|cocinad[oa]|cozinhad[oa]|preparat[oa]|ricostituit[oa]|(?<!\p{L})cott[oaie](?!\p{L})|(?<!\p{L})bereid(?!\p{L})|gekookt|przygotowan\p{L}+|tillagad|tilberedt|\bwith\s(?:[\d/½¼¾ ]+cups?\s(?:of\s)?)?(?:skim|lowfat|whole|2%|1%)?\s?milk|mit\s(?:[\d,]+\s?ml\s)?milch|avec\s(?:du\s)?lait|con\sleche|con\slatte|com\sleite|met\smelk/giu;
/** Preceding text that negates them. */
const NOT = /(?:\bun|\b(?:not|non|nicht|sin|sem|vor|avant|antes de|prima di|não)\s(?:la\s|die\s|der\s)?)$/iu;
/** Words in heads of the food as sold. */
const SOLD =
  /\bas\s(?:sold|packaged|purchased)\b|\bdry(?:\smix)?\b|\b(?:mix|powder|uncooked|raw|unprepared)\b|pulver|trocken\p{L}*|un(?:zubereitet|gekocht)\p{L}*|verkauf\p{L}*|(?<!\p{L})(?:poudre|sec|cru|secco|crudo|seco|polvo|polvere|pó)(?!\p{L})|tel(?:le)?s?\s(?:que\s)?vendue?s?|tal\squal[e]?|vendido|venduto|(?:non|não|sin|sem|not|nicht)\s(?:pr[ée]par|zubereit|cuit|cotto|coci|cozi)\p{L}*/giu;
/** Texts about the serving or the package are not heads. */
const OTHER = /serv\w*\.?\s*size|\bnet\b|ingred|zutaten/iu;

/** Whether a column is about the food as sold or as prepared. */
export interface FoodState {
  readonly state: 'prepared' | 'sold';
  readonly row: TextRow;
  readonly x: number;
  /** The part of the row's text with these words, alone or with its neighbours. */
  readonly from: number;
  readonly to: number;
}

export function foodStatesIn(row: TextRow): FoodState[] {
  const states: FoodState[] = [];
  for (const { text, from, left, right } of partsOf(row)) {
    if (OTHER.test(text)) continue;
    const sold = [...text.matchAll(SOLD)];
    const prepared = [...text.matchAll(PREPARED)].filter(({ index }) => !NOT.test(text.slice(0, index)));
    const found = [
      ...sold.map((match) => ({ state: 'sold' as const, match })),
      ...prepared.map((match) => ({ state: 'prepared' as const, match })),
    ];
    const kinds = new Set(found.map(({ state }) => state));
    for (const { state, match } of found) {
      const at = from + match.index;
      const isAlone = kinds.size === 1;
      const x = isAlone
        ? (left + right) / 2
        : ((row.xs[at] ?? 0) + (row.xs[at + match[0].length - 1] ?? 0)) / 2;
      const bounds = isAlone ? { from, to: from + text.length } : { from: at, to: at + match[0].length };
      states.push({ state, row, x, ...bounds });
    }
  }
  return states;
}
