import { AppError } from '@larder/core/errors.ts';
import type { AmountFields } from './records/amount-fields.ts';
import { type AddedMethod, MAIN_AMOUNTS, type MealType, REQUIRED_AMOUNTS } from './records/entry.ts';

/** Sources of an entry: exactly one is given. */
export const SOURCE_FIELDS = ['foodName', 'foodId', 'barcode', 'recipeId'] as const;
export type SourceField = (typeof SOURCE_FIELDS)[number];

/** An item of a scan with the user's changes. */
export interface ScannedItemInput {
  /** Position in the scan's result. */
  readonly index: number;
  /** The name of the entry. */
  readonly name?: string | undefined;
  readonly foodId?: string | undefined;
  readonly quantity?: number | undefined;
  readonly unit?: string | undefined;
  /** The weight of one serving in g, which the user states where the scan found none. */
  readonly servingGrams?: number | undefined;
}

/** Selects the items of a scan that become entries. */
export interface ScanChoice {
  /** All items by default. */
  readonly items?: readonly ScannedItemInput[] | undefined;
  /** Accepts items that the scan is unsure of. Listed items count as sure. */
  readonly saveUnsure?: boolean | undefined;
}

/** A new entry as a client states it: fields of the right type, not yet checked against rules. */
export type EntryInput = {
  /** Chosen by the client. */
  readonly id?: string | undefined;
  readonly date: string;
  readonly mealType: MealType;
  readonly addedMethod?: AddedMethod | undefined;
  readonly quantity?: number | undefined;
  readonly unit?: string | undefined;
  readonly eatenAt?: string | undefined;
  readonly note?: string | undefined;
} & { readonly [field in SourceField]?: string | undefined } & AmountFields;

/** The items of a scan as new entries. */
export type ScanEntriesInput = Pick<EntryInput, 'date' | 'mealType' | 'addedMethod' | 'eatenAt' | 'note'> &
  ScanChoice & { readonly scanJobId: string };

/** Changes of an entry; `null` makes an amount that is not required unknown, and removes time and note. */
export type EntryChange = AmountFields<number | null> & {
  readonly [key in (typeof REQUIRED_AMOUNTS)[number]]?: number | undefined;
} & {
  readonly date?: string | undefined;
  readonly mealType?: MealType | undefined;
  readonly foodName?: string | undefined;
  readonly addedMethod?: AddedMethod | undefined;
  readonly quantity?: number | undefined;
  readonly unit?: string | undefined;
  readonly eatenAt?: string | null | undefined;
  readonly note?: string | null | undefined;
};

interface SourceRules {
  /** The method of adding, unless the client states one. */
  readonly method: AddedMethod;
  /** The fields that the source requires, and those it excludes. */
  readonly required: readonly (keyof EntryInput)[];
  readonly refused: readonly (keyof EntryInput)[];
}

const AMOUNT_FIELDS = [...MAIN_AMOUNTS, 'nutrients'] as const;
const COMPUTED: Omit<SourceRules, 'method'> = {
  required: ['quantity', 'unit'],
  refused: AMOUNT_FIELDS,
};

export const SOURCES: Readonly<Record<SourceField, SourceRules>> = {
  foodName: { method: 'manual', required: REQUIRED_AMOUNTS, refused: [] },
  foodId: { method: 'manual', ...COMPUTED },
  barcode: { method: 'barcode', ...COMPUTED },
  recipeId: { method: 'recipe', ...COMPUTED },
};

/** The one field of `fields` that is given. Throws if required fields are missing or excluded ones given. */
export function sourceOf<Field extends SourceField>(
  input: Partial<EntryInput>,
  fields: readonly Field[],
): Field {
  const source = givenOf(input, fields);
  const { required, refused } = SOURCES[source];
  const isGiven = (field: keyof EntryInput) => input[field] !== undefined;
  if (!required.every(isGiven))
    throw missingFields(
      source,
      required.filter((field) => !isGiven(field)),
    );
  if (refused.some(isGiven)) throw excludedFields(source, refused.filter(isGiven));
  return source;
}

/**
 * Finds the one field of `fields` that is given, ignoring all other fields. `orElse` ends the sentence of the error.
 */
export function givenOf<Field extends string>(
  input: { readonly [field in Field]?: unknown },
  fields: readonly Field[],
  orElse = '',
): Field {
  const given = fields.filter((field) => input[field] !== undefined);
  const [source] = given;
  if (source !== undefined && given.length === 1) return source;
  throw new AppError({
    code: 'invalid_request',
    message: `Give exactly one of ${fields.join(', ')}${orElse}.`,
    details: { fields: source === undefined ? fields : given },
  });
}

function missingFields(source: SourceField, missing: readonly (keyof EntryInput)[]): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `With "${source}" also give ${missing.join(', ')}.`,
    details: { fields: missing },
  });
}

function excludedFields(source: SourceField, given: readonly (keyof EntryInput)[]): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `With "${source}" the amounts are computed; leave out ${given.join(', ')}.`,
    details: { fields: given },
  });
}
