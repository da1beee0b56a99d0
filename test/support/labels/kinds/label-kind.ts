import type { Colours, LabelDrawing } from '../label-svg.ts';
import type { Shot } from '../photograph.ts';
import type { Random } from '../printed-facts.ts';

/** What a person reads off a label, per 100 g or ml; a key is absent where no value can be read. */
export type ReadableValues = Readonly<Record<string, number>>;

/** One drawn label of a kind, with what a person reads on it. */
export interface DrawnLabel {
  readonly drawing: LabelDrawing;
  readonly colours?: Colours;
  readonly shot?: Shot;
  /** Undefined if the label states no food, so that nothing may be proposed. */
  readonly values: ReadableValues | undefined;
  readonly servingAmount?: number;
  /** The nutrient whose value cannot be read; where `values` has it, it may be computed of another column. */
  readonly covered?: string;
  /** Values that are printed as less than these. */
  readonly limits?: Readonly<Record<string, number>>;
}

/** A way in which labels differ from the plain ones. */
export interface LabelKind {
  readonly name: string;
  readonly draw: (random: Random) => DrawnLabel;
}
