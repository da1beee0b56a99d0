import { UsageError } from '@larder/core/errors.ts';
import type { Food } from '@larder/core/food.ts';
import type { ExplainedPlan } from '@larder/search/explanation.ts';
import type { FoodHit } from '@larder/text/parse/food-finder.ts';
import { Command } from 'commander';
import { foodObject } from '../../api/foods/food-json.ts';
import { DEFAULT_LIMIT, parseLimit } from '../../base/list-request.ts';
import { counted } from '../../base/texts.ts';
import type { Catalogue, ExplainedSearch } from '../../foods/catalogue/catalogue.ts';
import { parseSearchText } from '../../foods/visible-foods.ts';
import { answerBatch, openBatch, warmUpNames } from '../terminal/batch.ts';
import { openChosenCatalogue } from '../terminal/file-arguments.ts';
import { cell, toLines } from '../terminal/format.ts';
import { print, type Terminal, tell, toUsageErrors } from '../terminal/terminal.ts';

/** Width of a column; longer text is cut. */
const NAME_WIDTH = 48;
const BRAND_WIDTH = 20;
const KCAL_WIDTH = 13;

function foodTable(foods: readonly Food[]): string {
  if (foods.length === 0) return '';
  const head = [cell('name', NAME_WIDTH), cell('brand', BRAND_WIDTH), 'kcal'.padStart(KCAL_WIDTH), 'id'];
  return toLines([head.join('  '), ...foods.map(foodLine)]);
}

function foodLine({ name, brand = '', per100, basis, id }: Food): string {
  const kcal = `${Math.round(per100.energy)} in 100 ${basis.padEnd(2)}`.padStart(KCAL_WIDTH);
  return [cell(name, NAME_WIDTH), cell(brand, BRAND_WIDTH), kcal, id].join('  ');
}

function explanationText({ tokens, plans, hits }: ExplainedSearch): string {
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
function explanationJson(q: string, { tokens, plans, hits }: ExplainedSearch): string {
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

interface Options {
  readonly catalogue?: string;
  readonly limit: number;
  readonly explain?: true;
  readonly json?: true;
  readonly batch?: string;
}

/** `larder search`: prints what the API would return for the same catalogue, without a service. */
export function searchCommand(terminal: Terminal): Command {
  return new Command('search')
    .description(
      'Search the foods of a catalogue as the API does; no running service is needed. It does ' +
        'not find custom foods, which are in the database.',
    )
    .argument('[query...]', 'text to search for; less than 2 characters find nothing')
    .option('--limit <number>', 'maximum number of foods, up to 100', limitOf, DEFAULT_LIMIT)
    .option(
      '--catalogue <name-or-file>',
      'name of a stored catalogue, or a path; default: the catalogue in use',
    )
    .option('--explain', 'also show how the query was read, what was tried and the scores of the foods')
    .option('--json', 'print one JSON array, as GET /v1/foods/search returns; with --explain one object')
    .option(
      '--batch <file>',
      'search for each line of a file (- for standard input) and print a JSON line for each',
    )
    .addHelpText(
      'after',
      `
--batch prints {"q", "ids", "names", "us"} for each line, where us is the time of the search in microseconds,
or {"q", "error"} if the line is too long.

Examples:
  larder search "greek yogurt"
  larder search choclate --explain
  larder search --batch queries.txt --limit 10 > answers.jsonl
  cut -f1 log.tsv | larder search --batch -`,
    )
    .action(async (words: readonly string[], options: Options) => {
      if ((words.length === 0) === (options.batch === undefined)) {
        throw new UsageError('Give either a search text or --batch FILE.');
      }
      if (options.batch === undefined) return searchOnce(terminal, words.join(' '), options);
      if (options.explain) throw new UsageError('--explain takes one search text, not --batch.');
      return searchBatch(terminal, options.batch, options);
    });
}

async function searchBatch(terminal: Terminal, file: string, { catalogue: choice, limit }: Options) {
  const input = await openBatch(file, terminal);
  const catalogue = await openChosenCatalogue(terminal, choice);
  for (const name of warmUpNames(catalogue)) {
    const [firstWord] = name.split(' ');
    const misspelt = name.slice(0, 3) + name.slice(4);
    for (const query of [name, firstWord!, misspelt]) catalogue.search(query, limit);
  }
  await answerBatch({
    input,
    out: terminal.out,
    field: 'q',
    answer: async (line) => {
      const foods = found(catalogue, parseSearchText(line), limit);
      return { ids: foods.map(({ id }) => id), names: foods.map(({ name }) => name) };
    },
  });
}

function found(catalogue: Catalogue, query: string | undefined, limit: number): readonly Food[] {
  return query === undefined ? [] : catalogue.search(query, limit);
}

async function searchOnce(terminal: Terminal, typed: string, options: Options): Promise<void> {
  const { limit, explain, json } = options;
  const query = toUsageErrors(() => parseSearchText(typed));
  const catalogue = await openChosenCatalogue(terminal, options.catalogue);
  if (explain) {
    const explained =
      query === undefined ? { tokens: [], plans: [], hits: [] } : catalogue.explain(query, limit);
    print(terminal, json ? `${explanationJson(typed, explained)}\n` : explanationText(explained));
    return;
  }
  const foods = found(catalogue, query, limit);
  print(terminal, json ? `${JSON.stringify(foods.map(foodObject))}\n` : foodTable(foods));
  if (foods.length === 0) tell(terminal, 'Nothing found.\n');
}

function limitOf(typed: string): number {
  return toUsageErrors(() => parseLimit(typed));
}
