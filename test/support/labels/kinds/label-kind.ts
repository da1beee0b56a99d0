import type { Colours, LabelDrawing } from '../label-svg.ts';
import type { Shot } from '../photograph.ts';
import type { Random } from '../printed-facts.ts';

/** Values that a person reads on a label, per 100 g or ml, or of one serving; a key is absent if no value is readable. */
export type ReadableValues = Readonly<Record<string, number>>;

/** One drawn label of a kind, with the values that a person reads on it. */
export interface DrawnLabel {
  readonly drawing: LabelDrawing;
  readonly colours?: Colours;
  readonly shot?: Shot;
  /** Undefined if the label states no food, so that nothing may be proposed. */
  readonly values: ReadableValues | undefined;
  readonly servingAmount?: number;
  /** The values are of one serving, whose weight cannot be read. */
  readonly isUnweighed?: true;
  /** The nutrient with an unreadable value; if `values` has it, it may be computed from another column. */
  readonly covered?: string;
  /** Values that are printed as upper limits ("<"). */
  readonly limits?: Readonly<Record<string, number>>;
}

/** A variation of the plain labels. */
export interface LabelKind {
  readonly name: string;
  readonly draw: (random: Random) => DrawnLabel;
}
