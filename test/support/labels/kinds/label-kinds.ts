import { COLUMN_KINDS } from './column-kinds.ts';
import type { LabelKind } from './label-kind.ts';
import { PHOTO_KINDS } from './photo-kinds.ts';
import { TEXT_KINDS } from './text-kinds.ts';
import { VALUE_KINDS } from './value-kinds.ts';

/** Kinds of labels and of photos of labels, in addition to plain layouts. */
export const LABEL_KINDS: readonly LabelKind[] = [
  ...TEXT_KINDS,
  ...COLUMN_KINDS,
  ...VALUE_KINDS,
  ...PHOTO_KINDS,
];
