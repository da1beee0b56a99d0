import { round } from '@larder/core/rounding.ts';
import type { Amount } from '@larder/text/find-amounts.ts';
import type { FoodCandidate } from '@larder/text/parse/ranking/confidence.ts';
import {
  type ExplainedItem,
  nutrientOf,
  type ReadText,
  type TextItem,
} from '@larder/text/parse/read-text.ts';
import { cell, percent, toLines } from '../terminal/format.ts';

/** Width of a column; longer text is cut. */
const WORDS_WIDTH = 28;
const AMOUNT_WIDTH = 14;
const GRAMS_WIDTH = 8;
const FOOD_WIDTH = 40;
const KCAL_WIDTH = 6;
const CONFIDENCE_WIDTH = 10;

export function itemTable({ items, totals, unresolved }: ReadText): string {
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
export function batchAnswer({ items, totals }: ReadText) {
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

export function parseExplanationText(items: readonly ExplainedItem[]): string {
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

export function parseExplanationJson(text: string, items: readonly ExplainedItem[]): string {
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
