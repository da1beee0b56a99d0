import type { UnitName } from './units.ts';

/** An amount as written, before any conversion. */
export interface Amount {
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly firstToken: number;
  /** The token after the amount. The amount does not include a following "of". */
  readonly endToken: number;
  /** The lower end of a range. */
  readonly quantity: number;
  readonly range?: readonly [number, number];
  readonly unit?: UnitName;
  /** A size in the language's table: "small", "large". */
  readonly size?: string;
  /** The container of a measure that no number counts: "400g can". */
  readonly container?: UnitName;
  /** Further dimensions of a length: "2 by 3 inches". */
  readonly by?: readonly number[];
  /** A spoon or cup is more than level: "a heaped teaspoon". */
  readonly heaped?: true;
  /** The content of each of `quantity`: "2 x 330 ml", "1 (14 oz) can", "a glass of 244g milk". */
  readonly each?: Amount;
  /** An amount to add: "1 cup plus 2 tablespoons", "2lb 4oz"; negative if it is to subtract: "1 cup minus 1 tbsp". */
  readonly plus?: Amount;
  /** States the same amount in other units: "150g/5¼oz", "1 cup (250 ml)". */
  readonly alternatives: readonly Amount[];
  /** The quantity comes from an article: "a banana". */
  readonly article?: true;
  /** The quantity is written as the litres of a glass or bottle are: "Bier 0,3". */
  readonly litres?: true;
  /** The quantity comes from an inexact word: "a few", "several". */
  readonly vague?: true;
  /** The amount is in parentheses: "a bottle of cola (16.9 fl oz)". */
  readonly aside?: true;
}

/** An amount and its alternatives as one list. */
export function sides(amount: Amount): Amount[] {
  return [{ ...amount, alternatives: [] }, ...amount.alternatives];
}
