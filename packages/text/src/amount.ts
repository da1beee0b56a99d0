import type { UnitName } from './units.ts';

/** An amount as it is written, before anything is converted. */
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
  /** A size of the table of the language: "small", "large". */
  readonly size?: string;
  /** What a measure comes in, where nothing counts it: "400g can". */
  readonly container?: UnitName;
  /** Further dimensions of a length: "2 by 3 inches". */
  readonly by?: readonly number[];
  /** What each one of `quantity` holds: "2 x 330 ml", "1 (14 oz) can", "a glass of 244g milk". */
  readonly each?: Amount;
  /** Added to it: "1 cup plus 2 tablespoons", "2lb 4oz". */
  readonly plus?: Amount;
  /** The same amount in other units: "150g/5¼oz", "1 cup (250 ml)". */
  readonly alternatives: readonly Amount[];
  /** Only an article counts: "a banana". */
  readonly article?: true;
  /** A word that counts nothing exactly: "a few", "several". */
  readonly vague?: true;
  /** It stands in parentheses: "a bottle of cola (16.9 fl oz)". */
  readonly aside?: true;
}

/** An amount and its alternatives beside each other. */
export function sides(amount: Amount): Amount[] {
  return [{ ...amount, alternatives: [] }, ...amount.alternatives];
}
