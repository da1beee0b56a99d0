import { AppError } from '@larder/core/errors.ts';
import type { IgnoredText } from '@larder/text/parse/read-text.ts';
import type { TextContext } from '@larder/text/parse/structure/context.ts';
import type { EntryInput } from './entry-input.ts';
import {
  type ItemOptions,
  isResolved,
  portionOf,
  type ResolvedItem,
  readItems,
  type UnresolvedItem,
  unresolvedAmong,
  unresolvedItems,
} from './read-items.ts';
import { parseDay } from './records/day.ts';
import { type DiaryEntry, type DiaryOwner, MAX_BATCH_ENTRIES } from './records/entry.ts';
import { invalidField } from './records/invalid-field.ts';

/** A text about what was eaten. */
export interface TextEntriesInput extends Pick<EntryInput, 'date' | 'mealType' | 'eatenAt' | 'note'> {
  readonly text: string | readonly string[];
  /** Detected if absent. */
  readonly lang?: string | undefined;
  /** The kind of text; a meal if absent. */
  readonly context?: TextContext | undefined;
  /** Leaves out unresolved items instead of refusing all. */
  readonly partial?: boolean | undefined;
}

export interface TextEntries {
  readonly entries: readonly DiaryEntry[];
  /** The interpretation of each entry, in the same order. */
  readonly understood: readonly ResolvedItem[];
  /** Items that were left out. */
  readonly unresolved: readonly UnresolvedItem[];
  /** Words that belong to no item and name no food by themselves. */
  readonly ignored: readonly IgnoredText[];
}

export interface TextEntriesOptions extends ItemOptions {
  /** Users whose recipes are found. */
  readonly recipesOf: readonly string[];
  /** Adds all entries or none. */
  readonly create: (inputs: readonly EntryInput[]) => Promise<DiaryEntry[]>;
}

/**
 * Writes an entry for each food that a text names. Throws `unresolved_items`, unless `partial` allows leaving these
 * out.
 */
export async function addTextEntries(
  owner: DiaryOwner,
  { text, lang, context = 'meal', partial, ...shared }: TextEntriesInput,
  { foods, recipesOf, create }: TextEntriesOptions,
): Promise<TextEntries> {
  parseDay(shared.date);
  const { items, ignored } = await readItems(text, { ...owner, recipesOf }, { foods, lang, context });
  if (items.length === 0) throw unresolvedItems([nothingIn(text)], 0);
  if (items.length > MAX_BATCH_ENTRIES) {
    throw invalidField('text', `"text" names more than ${MAX_BATCH_ENTRIES} foods.`, {
      max: MAX_BATCH_ENTRIES,
    });
  }
  const understood = items.filter(isResolved);
  const unresolved = await unresolvedAmong(items, { ...owner, recipesOf }, { foods });
  if (unresolved.length > 0 && (partial !== true || understood.length === 0))
    throw unresolvedItems(unresolved, understood.length);
  const entries = await create(understood.map((item) => ({ ...shared, ...portionOf(item) }))).catch(
    (error) => {
      throw aboutText(error, understood);
    },
  );
  return { entries, understood, unresolved, ignored };
}

/** Restates the error of an entry in terms of the text that it comes from, because the client sent no entries. */
function aboutText(error: unknown, understood: readonly ResolvedItem[]): unknown {
  if (!(error instanceof AppError) || error.details['fields'] === undefined) return error;
  const { index = 0, ...details } = error.details;
  const item = understood[index as number];
  if (item === undefined) return error;
  const { text, start, end, line } = item;
  const { message } = error.cause instanceof AppError ? error.cause : error;
  return AppError.remade({
    code: error.code,
    message: `"${text}": ${message}`,
    details: { ...details, fields: ['text'], start, end, ...(line !== undefined && { line }) },
    cause: error,
  });
}

/** The unresolved item of a text without words. */
function nothingIn(text: TextEntriesInput['text']): UnresolvedItem {
  const all = [text].flat().join('\n');
  return { index: 0, text: all, start: 0, end: all.length, unresolved: 'food', candidates: [] };
}
