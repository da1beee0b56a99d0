import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { DEFAULT_TENANT } from '../../access/api-key.ts';
import { ensureCatalogue, loadCatalogue } from '../../app/catalogue-store.ts';
import { requireDataFolder } from '../../app/data-folder.ts';
import { AnalysisPool } from '../../app/processes/analysis-pool.ts';
import { checkRecognizers } from '../../app/recognizers.ts';
import { counted } from '../../base/texts.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { openShippedFoods } from '../../foods/starter/starter-foods.ts';
import { FoodDirectory } from '../../foods/visible-foods.ts';
import type { AnalysisOutcome, RecognizerRun } from '../../scan/analysis/analysis.ts';
import { foundFoods } from '../../scan/analysis/scan-foods.ts';
import type { KeptProposal } from '../../scan/recognizer.ts';
import type { ReceiptProduct } from '../../scan/scan-receipt.ts';
import type { ScanItem } from '../../scan/scan-result.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { chosenFile, readImageFile, type UnreadFile } from '../terminal/file-arguments.ts';
import { percent, toLines } from '../terminal/format.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';

const LABEL_WIDTH = 40;

/** Formats a result as one line of JSON. */
function recognitionJson(file: string, { analysis, ...outcome }: AnalysisOutcome): string {
  const { items, ...rest } = analysis;
  const receipt = 'result' in outcome ? outcome.result.receipt : undefined;
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  return `${JSON.stringify({ file, items, receipt, failure, ...rest })}\n`;
}

/** Formats an unreadable file as one line of JSON. */
function unreadJson(file: string, failure: UnreadFile): string {
  return `${JSON.stringify({ file, failure })}\n`;
}

/** Formats a result as a table for a terminal. */
function recognitionText(file: string, { analysis, ...outcome }: AnalysisOutcome): string {
  const { timings, recognizers, items } = analysis;
  const lines = [
    file,
    ...items.flatMap(itemLines),
    ...('result' in outcome ? (outcome.result.receipt?.lines ?? []).map(receiptLine) : []),
    ...('failure' in outcome ? [`  ${outcome.failure.code}: ${outcome.failure.message}`] : []),
    ...recognizers.flatMap(runLines),
    `  decoded in ${ms(timings.decodeMs)}, grounded in ${ms(timings.groundMs)}, ${ms(timings.totalMs)} in all`,
  ];
  return toLines(lines);
}

function itemLines({ name, brand, foodId, ...item }: ScanItem): string[] {
  const { energy, protein, fat, carbohydrates } = item.macros;
  const range = item.servingRangeGrams;
  const helping = range === undefined ? '' : ` (${range.low} to ${range.high})`;
  return [
    `  ${name}${brand === undefined ? '' : ` (${brand})`}  ${percent(item.confidence)}${item.unsure ? ', unsure' : ''}`,
    `    ${item.weightUnknown ? 'one serving of unknown weight' : `${item.servingGrams} g${helping}`}: ${energy} kcal, protein ${protein} g, fat ${fat} g, carbohydrates ${carbohydrates} g`,
    `    by its ${item.origin}${foodId === undefined ? '' : `, ${foodId}`}${item.barcode === undefined ? '' : `, ${item.barcode}`}`,
    ...item.alternatives.map((other) => `    or ${candidate(other.name, other.foodId, other.confidence)}`),
  ];
}

function receiptLine({ text, price, food }: ReceiptProduct): string {
  const name = `  ${text}  ${price}`;
  return food === undefined ? name : `${name}  ${food.name}, ${food.foodId}  ${percent(food.confidence)}`;
}

function runLines({ name, version, outcome, proposals, ms: tookMs }: RecognizerRun): string[] {
  return [
    `  ${name} (${version}): ${outcome.replaceAll('_', ' ')}, ${ms(tookMs)}`,
    ...proposals.flatMap(proposalLines).map((line) => `    ${line}`),
  ];
}

function proposalLines(proposal: KeptProposal): string[] {
  const { confidence } = proposal;
  switch (proposal.kind) {
    case 'barcode':
      return [candidate(proposal.digits, '', confidence)];
    case 'label':
      return [candidate(`nutrition facts per 100 ${proposal.basis}`, '', confidence)];
    case 'serving_label':
      return [candidate('nutrition facts per serving', '', confidence)];
    case 'named':
      return [candidate(proposal.name, '', confidence)];
    case 'receipt':
      return proposal.lines.map(({ name, price }) => candidate(name, price, confidence));
    case 'dish':
      return [proposal, ...proposal.alternatives].map((each) =>
        candidate(each.label, each.foodId, each.confidence),
      );
  }
}

function candidate(label: string, foodId: string, confidence: number): string {
  return `${label.padEnd(LABEL_WIDTH)}  ${percent(confidence).padStart(5)}  ${foodId}`.trimEnd();
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

interface Options {
  readonly catalogue?: string;
  readonly json?: true;
  readonly receipt?: true;
}

/** `larder recognize`: prints the result of a scan without a service, with the same limits of time and memory. */
export function recognizeCommand(terminal: Terminal): Command {
  return new Command('recognize')
    .description(
      'Recognize the food on images as a scan does, with the configured recognizers; no running service is needed. ' +
        'It does not find custom foods, which are in the database.',
    )
    .argument('<file...>', 'JPEG, PNG, HEIC or WebP, at most 10 MiB each')
    .option(
      '--catalogue <name-or-file>',
      'name of a stored catalogue, or a path; default: the catalogue in use',
    )
    .option('--receipt', 'the images are of receipts: read their products, and no other food')
    .option('--json', 'print a JSON line for each file: items or failure, recognizers, timings')
    .addHelpText(
      'after',
      `
Exit codes: 0 all files are images, with food or without; 1 a file cannot be read or is not an image.

Examples:
  larder recognize lunch.jpg
  larder recognize --json *.jpg | jq .items`,
    )
    .action((files: string[], options: Options) => recognizeAll(terminal, files, options));
}

async function recognizeAll(
  terminal: Terminal,
  files: readonly string[],
  { catalogue: chosen, json, receipt }: Options,
): Promise<void> {
  const { config } = commandConfig(terminal);
  if (chosen === undefined) {
    requireDataFolder(config);
    await ensureCatalogue(config, { tell: (_, message) => tell(terminal, `${message}\n`) });
  }
  const catalogue = Catalogue.open(await loadCatalogue(config, await chosenFile(config, chosen)));
  const foods = foundFoods({
    foods: new FoodDirectory({ catalogue: { current: catalogue } }),
    viewer: { tenant: DEFAULT_TENANT },
    shipped: openShippedFoods(),
  });
  await checkRecognizers(config);
  const pool = new AnalysisPool({
    config,
    processes: 1,
    onError: (error) => tell(terminal, `${error.message}\n`),
  });
  let unread = 0;
  try {
    for (const file of files) {
      const bytes = await readImageFile(file);
      if ('code' in bytes) {
        if (json) print(terminal, unreadJson(file, bytes));
        else tell(terminal, `${bytes.message} (${bytes.code})\n`);
        unread++;
        continue;
      }
      const kind = receipt ? 'receipt' : 'food';
      const outcome = await pool.analyse({ bytes, kind, foods, timeoutMs: config.scanTimeoutMs });
      if (isNoImage(outcome)) unread++;
      print(terminal, json ? recognitionJson(file, outcome) : recognitionText(file, outcome));
    }
  } finally {
    await pool.close();
  }
  if (unread > 0) throw new OperatorError(`${unread} of ${counted(files.length, 'file')} could not be read.`);
}

function isNoImage(outcome: AnalysisOutcome): boolean {
  if ('result' in outcome) return false;
  return ['image_too_large', 'unsupported_image', 'image_unreadable'].includes(outcome.failure.code);
}
