import type { Food } from '@larder/core/food.ts';
import type { ExplainedPlan } from '@larder/search/explanation.ts';
import type { FoodHit } from '@larder/text/parse/food-finder.ts';
import { counted } from '../../base/texts.ts';
import type { ExplainedSearch } from '../../foods/catalogue/catalogue.ts';
import { cell, toLines } from '../terminal/format.ts';

/** Width of a column; longer text is cut. */
const NAME_WIDTH = 48;
const BRAND_WIDTH = 20;
const KCAL_WIDTH = 13;

export function foodTable(foods: readonly Food[]): string {
  if (foods.length === 0) return '';
  const head = [cell('name', NAME_WIDTH), cell('brand', BRAND_WIDTH), 'kcal'.padStart(KCAL_WIDTH), 'id'];
  return toLines([head.join('  '), ...foods.map(foodLine)]);
}

function foodLine({ name, brand = '', per100, basis, id }: Food): string {
  const kcal = `${Math.round(per100.energy)} in 100 ${basis.padEnd(2)}`.padStart(KCAL_WIDTH);
  return [cell(name, NAME_WIDTH), cell(brand, BRAND_WIDTH), kcal, id].join('  ');
}

export function explanationText({ tokens, plans, hits }: ExplainedSearch): string {
  return toLines([
    `words   ${tokens.join(' ') || 'none'}`,
    ...plans.flatMap(planLines),
    'found',
    ...hits.map((hit) => `  ${scoreText(hit).padStart(9)}  ${foodLine(hit.food)}`),
  ]);
}

function planLines({ reading, cost, words, postingsRead, documentsScored, answers }: ExplainedPlan) {
  return [
    `tried   ${reading}${cost === 0 ? '' : `, at a cost of ${round(cost)}`}: ` +
      `${counted(postingsRead, 'posting')} read, ${counted(documentsScored, 'food')} scored, ${counted(answers, 'answer')} so far`,
    ...words.map(
      ({ typed, postings, metBy }) =>
        `          ${typed}  in ${postings}: ${metBy.join(', ') || 'met by nothing'}`,
    ),
  ];
}

/** Formats an explanation. A food found by its typed barcode has no score and comes first. */
export function explanationJson(q: string, { tokens, plans, hits }: ExplainedSearch): string {
  const foods = hits.map(({ food: { id, name, brand }, score, similarity }: FoodHit) => ({
    id,
    name,
    ...(brand !== undefined && { brand }),
    score: Number.isFinite(score) ? score : null,
    ...(similarity !== undefined && { similarity: round(similarity) }),
  }));
  return JSON.stringify({ q, tokens, plans, foods });
}

/** Formats a score; proposals by meaning are marked with a tilde. */
function scoreText({ score, similarity }: FoodHit): string {
  if (similarity !== undefined) return `~${similarity.toFixed(2)}`;
  return Number.isFinite(score) ? score.toFixed(2) : 'barcode';
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
