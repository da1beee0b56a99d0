import { AppError, UsageError } from '@larder/core/errors.ts';
import { round } from '@larder/core/rounding.ts';
import type { Amount } from '@larder/text/find-amounts.ts';
import { LANGUAGE_CODES, LANGUAGE_TAG, languageOfTag } from '@larder/text/language.ts';
import type { ParseOptions } from '@larder/text/parse/parse-foods.ts';
import type { FoodCandidate } from '@larder/text/parse/ranking/confidence.ts';
import {
  type ExplainedItem,
  explainText,
  MAX_TEXT_LENGTH,
  nutrientOf,
  type ReadText,
  readText,
  type TextItem,
} from '@larder/text/parse/read-text.ts';
import { Command } from 'commander';
import { textObject } from '../../api/foods/text-json.ts';
import { hasAtMost, isWellFormedText } from '../../base/texts.ts';
import type { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { answerBatch, openBatch, warmUpNames } from '../terminal/batch.ts';
import { openChosenCatalogue } from '../terminal/file-arguments.ts';
import { cell, percent, toLines } from '../terminal/format.ts';
import { print, type Terminal, tell, throwAsUsageError, toUsageErrors } from '../terminal/terminal.ts';

/** Width of a column; longer text is cut. */
const WORDS_WIDTH = 28;
const AMOUNT_WIDTH = 14;
const GRAMS_WIDTH = 8;
const FOOD_WIDTH = 40;
const KCAL_WIDTH = 6;
const CONFIDENCE_WIDTH = 10;

function itemTable({ items, totals, unresolved }: ReadText): string {
  if (items.length === 0) return '';
  const { calories, protein, carbs, fat, fiber, sodium } = totals;
  return toLines([
    row('words', 'amount', 'grams', 'food', 'kcal', 'confidence', 'note'),
    ...items.map(itemLine),
    row('total', '', '', '', String(Math.round(calories)), '', ''),
    '',
    `${short(protein)} g protein, ${short(carbs)} g carbs, ${short(fat)} g fat, ${short(fiber)} g fiber, ` +
      `${short(sodium)} mg sodium`,
    ...(unresolved === 0 ? [] : [`Not in the total: ${unresolved} of ${items.length}, marked with !.`]),
  ]);
}

function row(
  words: string,
  amount: string,
  grams: string,
  food: string,
  kcal: string,
  confidence: string,
  note: string,
) {
  return [
    cell(words, WORDS_WIDTH),
    cell(amount, AMOUNT_WIDTH),
    grams.padStart(GRAMS_WIDTH),
    cell(food, FOOD_WIDTH),
    kcal.padStart(KCAL_WIDTH),
    confidence.padStart(CONFIDENCE_WIDTH),
    note,
  ].join('  ');
}

function itemLine(item: TextItem): string {
  const { text, quantity, unit, food, confidence, unresolved } = item;
  const amount = [quantity, unit].filter((part) => part !== null).join(' ');
  const kcal = unresolved === undefined ? String(Math.round(nutrientOf(item, 'calories'))) : '';
  const sure = unresolved === undefined ? percent(confidence) : '';
  return row(text, amount, gramsText(item), food?.name ?? '', kcal, sure, noteOf(item));
}

/** Formats grams, or millilitres for foods stated by volume. */
function gramsText({ grams, food }: TextItem): string {
  if (grams === null) return '';
  return food?.basis === 'ml' ? `${short(grams)} ml` : short(grams);
}

/** Formats with one decimal below ten, as kitchen scales do. */
function short(amount: number): string {
  return String(amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount));
}

function noteOf({ note = '', assumed, unresolved }: TextItem): string {
  if (unresolved === 'food') return '! no food found';
  if (unresolved === 'amount') return '! weight not known';
  return assumed.length === 0 ? note : `assumed: ${assumed.join(', ')}`;
}

/** The response to one line of a batch. Nutrients are null unless food and grams are known. */
function batchAnswer({ items, totals }: ReadText) {
  return { items: items.map(batchItem), totals };
}

function batchItem(item: TextItem) {
  const { text, quantity, unit, grams, food, confidence, unresolved } = item;
  const nutrient = (key: 'calories' | 'carbs' | 'protein' | 'fat') =>
    unresolved === undefined ? nutrientOf(item, key) : null;
  return {
    text,
    quantity,
    unit,
    grams,
    id: food?.id ?? null,
    name: food?.name ?? null,
    calories: nutrient('calories'),
    carbs: nutrient('carbs'),
    protein: nutrient('protein'),
    fat: nutrient('fat'),
    confidence,
  };
}

function parseExplanationText(items: readonly ExplainedItem[]): string {
  return toLines(items.flatMap(explainedLines));
}

function explainedLines({ item, parsed }: ExplainedItem): string[] {
  return [
    `${item.text}  (${item.start} to ${item.end}, confidence ${percent(item.confidence)})`,
    `  amount      ${parsed.amount === undefined ? 'none is said' : amountText(parsed.amount)}`,
    `  grams       ${[gramsText(item), noteOf(item)].filter((part) => part !== '').join(', ')}`,
    ...parsed.candidates.map(
      (candidate, at) => `  ${cell(at === 0 ? 'compared' : '', 10)}  ${candidateLine(candidate)}`,
    ),
  ];
}

/** Describes the score of the name, the fit of the servings, and the weight that the amount would have. */
function candidateLine({ food, score, amount }: FoodCandidate): string {
  const scores = `name ${score.toFixed(2)}, servings ${amount === undefined ? 'none' : amount.fit.toFixed(2)}`;
  const weighed =
    amount === undefined
      ? 'weight not known'
      : `${short(amount.basisAmount)} ${food.basis} by ${amount.source}`;
  return `${scores}  ${cell(food.name, FOOD_WIDTH)}  ${weighed}  ${food.id}`;
}

/** Formats "2 x 330 ml", "1 cup plus 2 tbsp", "150 g or 5.25 oz", "2 to 3". */
function amountText({
  quantity,
  range,
  unit,
  size,
  container,
  each,
  plus,
  alternatives,
  article,
}: Amount): string {
  const number = range === undefined ? String(round(quantity)) : range.map(round).join(' to ');
  const words = [article === true ? `${number} (article)` : number, size, unit, container];
  return [
    words.filter((word) => word !== undefined).join(' '),
    each === undefined ? '' : ` of ${amountText(each)} each`,
    plus === undefined ? '' : ` plus ${amountText(plus)}`,
    ...alternatives.map((other) => ` or ${amountText(other)}`),
  ].join('');
}

function parseExplanationJson(text: string, items: readonly ExplainedItem[]): string {
  return JSON.stringify({ text, items: items.map(explainedItem) });
}

function explainedItem({ item, parsed }: ExplainedItem) {
  const { text, start, end, quantity, unit, grams, note, assumed, confidence, unresolved } = item;
  return {
    text,
    start,
    end,
    amount: parsed.amount === undefined ? null : amountText(parsed.amount),
    quantity,
    unit,
    grams,
    note,
    assumed,
    confidence,
    unresolved,
    candidates: parsed.candidates.map(({ food: { id, name }, score, amount }) => ({
      id,
      name,
      score: round(score),
      fit: amount === undefined ? null : round(amount.fit),
      grams: amount === undefined ? null : round(amount.basisAmount),
      note: amount?.source,
    })),
  };
}

interface Options {
  readonly catalogue?: string;
  readonly lang?: string;
  readonly explain?: true;
  readonly json?: true;
  readonly batch?: string;
}

/** `larder parse`: prints what the API would read in a text with the same catalogue, without a service. */
export function parseCommand(terminal: Terminal): Command {
  return new Command('parse')
    .description(
      'Read the foods and amounts that a text names, as POST /v1/foods/parse does; no running service is needed. It ' +
        'does not find custom foods, which are in the database.',
    )
    .argument('[text...]', 'what was eaten, or lines of a recipe')
    .option(
      '--lang <code>',
      `one of ${LANGUAGE_CODES.join(', ')}, or with a region as en-GB; detected when left out`,
      parseLanguage,
    )
    .option(
      '--catalogue <name-or-file>',
      'name of a stored catalogue, or a path; default: the catalogue in use',
    )
    .option('--explain', 'show the reasons: amounts as they were read, compared foods, and their grams')
    .option(
      '--json',
      'print one JSON object, as POST /v1/foods/parse returns; with --explain also the reasons',
    )
    .option(
      '--batch <file>',
      'read each line of a file (- for standard input) and print a JSON line for each',
    )
    .addHelpText(
      'after',
      `
Each line of --batch is one text. The output is {"text", "items", "totals", "us"}, where us is the time of the reading in
microseconds, or {"text", "error"} if the line is too long. Unknown values of an item are null.

Examples:
  larder parse "two scrambled eggs and a slice of toast with butter"
  larder parse "200 g Reis mit Huhn" --lang de --explain
  larder parse --batch meals.txt > items.jsonl`,
    )
    .action(async (words: readonly string[], options: Options) => {
      if ((words.length === 0) === (options.batch === undefined)) {
        throw new UsageError('Give either a text or --batch FILE.');
      }
      if (options.batch === undefined) return parseOnce(terminal, words.join(' '), options);
      if (options.explain) throw new UsageError('--explain takes one text, not --batch.');
      return parseBatch(terminal, options.batch, options);
    });
}

async function parseOnce(terminal: Terminal, typed: string, options: Options): Promise<void> {
  const text = toUsageErrors(() => parseText(typed));
  const reading = optionsOf(await openChosenCatalogue(terminal, options.catalogue), options);
  if (options.explain) {
    const { items } = await explainText(text, reading).catch(throwAsUsageError);
    print(terminal, options.json ? `${parseExplanationJson(text, items)}\n` : parseExplanationText(items));
    return;
  }
  const read = await readText(text, reading).catch(throwAsUsageError);
  print(terminal, options.json ? `${JSON.stringify(textObject(read))}\n` : itemTable(read));
  if (read.items.length === 0) tell(terminal, 'The text names nothing.\n');
}

async function parseBatch(terminal: Terminal, file: string, options: Options): Promise<void> {
  const input = await openBatch(file, terminal);
  const catalogue = await openChosenCatalogue(terminal, options.catalogue);
  const reading = optionsOf(catalogue, options);
  for (const name of warmUpNames(catalogue))
    await readText(`200 g ${name}`, reading).catch(throwAsUsageError);
  await answerBatch({
    input,
    out: terminal.out,
    field: 'text',
    answer: async (line) => batchAnswer(await readText(parseText(line), reading)),
  });
}

function optionsOf(finder: Catalogue, { lang }: Options): ParseOptions {
  return { finder, language: lang === undefined ? undefined : languageOfTag(lang) };
}

/** Throws `invalid_request` for texts that the API rejects. */
function parseText(typed: string): string {
  if (isWellFormedText(typed) && hasAtMost(typed, MAX_TEXT_LENGTH)) return typed;
  const message = `The text must be valid text of at most ${MAX_TEXT_LENGTH} characters.`;
  throw new AppError({ code: 'invalid_request', message });
}

function parseLanguage(typed: string): string {
  if (LANGUAGE_TAG.test(typed)) return typed;
  throw new UsageError(`--lang must be one of ${LANGUAGE_CODES.join(', ')}, or with a region as en-GB.`);
}
