import { AppError, UsageError } from '@larder/core/errors.ts';
import { LANGUAGE_CODES, LANGUAGE_TAG, languageOfTag } from '@larder/text/language.ts';
import type { ParseOptions } from '@larder/text/parse/parse-foods.ts';
import { explainText, MAX_TEXT_LENGTH, readText } from '@larder/text/parse/read-text.ts';
import { Command } from 'commander';
import { textObject } from '../../api/foods/text-json.ts';
import { hasAtMost, isWellFormedText } from '../../base/texts.ts';
import type { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { answerBatch, openBatch, warmUpNames } from '../terminal/batch.ts';
import { openChosenCatalogue } from '../terminal/file-arguments.ts';
import { print, type Terminal, tell, throwAsUsageError, toUsageErrors } from '../terminal/terminal.ts';
import { batchAnswer, itemTable, parseExplanationJson, parseExplanationText } from './parse-output.ts';

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
