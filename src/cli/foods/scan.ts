import { performance } from 'node:perf_hooks';
import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { Larder, LarderError, type ScanEvent } from '#larder-client';
import { isRefusal } from '../../scan/images/image-facts.ts';
import { inspectImage } from '../../scan/images/inspect-image.ts';
import { readImageFile } from '../terminal/file-arguments.ts';
import { cell, numberCell, percent, printableInLine, toLines } from '../terminal/format.ts';
import { type ServiceAccess, serviceAccess, unreachable } from '../terminal/service-access.ts';
import { numberOption, print, type Terminal } from '../terminal/terminal.ts';

/** Clears the line. */
const CLEAR_LINE = '\r\u001b[2K';

/** Shows the state of an image in one line; without a terminal only the result. */
class ScanProgress {
  readonly #stream: NodeJS.WritableStream;
  readonly #isTerminal: boolean;
  #file = '';

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    this.#isTerminal = (stream as NodeJS.WriteStream).isTTY === true;
  }

  begin(file: string): void {
    this.#file = printableInLine(file);
  }

  update(text: string): void {
    if (this.#isTerminal) this.#stream.write(`${CLEAR_LINE}${this.#file}: ${printableInLine(text)}`);
  }

  end(text: string): void {
    this.#stream.write(`${this.#isTerminal ? CLEAR_LINE : ''}${this.#file}: ${printableInLine(text)}\n`);
  }
}

const NAME_WIDTH = 44;
const AMOUNT_WIDTH = 14;
const MACROS = ['energy', 'protein', 'carbohydrates', 'fat'] as const;
const MACRO_WIDTH = 8;
const HOW_WIDTH = 8;

type Result = NonNullable<ScanEvent['result']>;
type Item = Result['items'][number];

/** Formats the foods of the photo, one a line, and their sum if there are several. */
function scanTable({ items, unknownProducts = [], ...plate }: Result): string {
  const head = [
    cell('food', NAME_WIDTH),
    cell('amount', AMOUNT_WIDTH),
    ...['kcal', 'protein', 'carbs', 'fat'].map((name) => name.padStart(MACRO_WIDTH)),
    cell('how', HOW_WIDTH),
    'sure',
  ];
  const sum = [
    cell('in all', NAME_WIDTH),
    cell(`${round(plate.servingSize)} g`, AMOUNT_WIDTH),
    ...macroCells([plate.calories, plate.protein, plate.carbs, plate.fat]),
  ];
  return toLines([
    head.join('  '),
    ...items.flatMap(itemLines),
    ...(items.length > 1 ? [sum.join('  ')] : []),
    ...unknownProducts.map(
      ({ barcode, name }) => `no food has the barcode ${barcode}${name === undefined ? '' : ` (${name})`}`,
    ),
  ]);
}

function itemLines({ name, servingSize, macros, origin, confidence, unsure, alternatives }: Item): string[] {
  const columns = [
    cell(name, NAME_WIDTH),
    cell(`${round(servingSize.value)} ${servingSize.unit}`, AMOUNT_WIDTH),
    ...macroCells(MACROS.map((key) => macros[key])),
    cell(origin, HOW_WIDTH),
    `${percent(confidence)}${unsure ? ', unsure' : ''}`,
  ];
  const others = alternatives.map((other) => `${other.name} (${percent(other.confidence)})`);
  return [columns.join('  '), ...(others.length > 0 ? [`  or ${others.join(', ')}`] : [])];
}

function macroCells([kcal, ...grams]: readonly number[]): string[] {
  return [numberCell(kcal!, 0, MACRO_WIDTH), ...grams.map((value) => numberCell(value, 1, MACRO_WIDTH))];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const DEFAULT_TIMEOUT_S = 120;
const MAX_TIMEOUT_S = 3_600;

interface Options {
  readonly url?: string;
  readonly key?: string;
  readonly timeout: number;
  readonly json?: true;
}

/** Exit code if an image has no result; 2 is that of an invalid command line. */
const NO_RESULT = 3;

/** The client id that jobs record. */
const CLIENT_ID = 'larder-cli';
/** Limits are counted by the minute; `--timeout` ends the waiting for an image earlier. */
const MAX_RETRIES = 60;
/** Codes of a bad credential, after which no other file is tried. */
const BAD_CREDENTIAL = /_(api_key|token)$/;

/** The reason for a missing result, from the service or this program. */
interface ScanTrouble {
  readonly code: string;
  readonly message: string;
}

/** The result of one file. */
interface Scanned {
  readonly answer?: ScanEvent;
  readonly error?: ScanTrouble;
}

/** `larder scan`: scans images with a running service. */
export function scanCommand(terminal: Terminal): Command {
  return new Command('scan')
    .description('Send images to a running service and print the food on them.')
    .argument('<file...>', 'JPEG, PNG, HEIC or WebP images, at most 10 MiB each')
    .option('--url <address>', 'address of the service; default: from the settings here')
    .option(
      '--key <key>',
      'API key with the scope scan; default: LARDER_KEY, or without --url the first key of the data folder',
    )
    .option(
      '--timeout <seconds>',
      'how long to wait for the result of an image',
      numberOption('--timeout', 1, MAX_TIMEOUT_S),
      DEFAULT_TIMEOUT_S,
    )
    .option('--json', 'print a JSON line for each image: its file, and the job as the API answers it')
    .addHelpText(
      'after',
      `
Exit codes: 0 every image has a result, 1 the service cannot be reached or refuses the key, 3 an image has no result.

Examples:
  larder scan lunch.jpg
  larder scan --json *.jpg > results.jsonl
  LARDER_KEY=... larder scan --url https://food.example.org plate.png`,
    )
    .action((files: readonly string[], options: Options) => scanFiles(terminal, files, options));
}

async function scanFiles(terminal: Terminal, files: readonly string[], options: Options): Promise<void> {
  const access = await serviceAccess(terminal, options);
  const { url, key, isOwn, config } = access;
  if (key === undefined) {
    const noService = `The data folder ${config.dataDir} has no first key; start a service with "larder serve". Or give`;
    const request = 'an API key with the scope scan, with --key or as LARDER_KEY.';
    throw new OperatorError(`${isOwn ? noService : 'Give'} ${request}`);
  }
  const progress = new ScanProgress(terminal.err);
  const larder = new Larder({
    url,
    key,
    maxRetries: MAX_RETRIES,
    onRetry({ error, waitMs }) {
      if (error.code === 'connection_failed') throw error;
      progress.update(`waiting ${Math.ceil(waitMs / 1_000)} s, as the service asks`);
    },
  });
  let hasFailed = false;
  for (const file of files) {
    progress.begin(file);
    const { answer, error } = await scanFile(larder, access, file, options.timeout, progress);
    hasFailed ||= error !== undefined;
    if (options.json) print(terminal, `${JSON.stringify({ file, ...answer, ...(error && { error }) })}\n`);
    else if (answer?.result !== undefined) print(terminal, scanTable(answer.result));
  }
  if (hasFailed) process.exitCode = NO_RESULT;
}

async function scanFile(
  larder: Larder,
  access: ServiceAccess,
  file: string,
  timeoutS: number,
  progress: ScanProgress,
): Promise<Scanned> {
  const startedMs = performance.now();
  const signal = AbortSignal.timeout(timeoutS * 1_000);
  try {
    const answer = await sendAndFollow(larder, file, progress, signal);
    const tookS = ((performance.now() - startedMs) / 1_000).toFixed(1);
    progress.end(answer.error === undefined ? `done in ${tookS} s` : toText(answer.error));
    return { answer, ...(answer.error !== undefined && { error: answer.error }) };
  } catch (error) {
    if (error instanceof LarderError) throwIfHopeless(error, access);
    const trouble = troubleOf(error, signal, timeoutS);
    progress.end(toText(trouble));
    return { error: trouble };
  }
}

function toText({ message, code }: ScanTrouble): string {
  return `${message} (${code})`;
}

async function sendAndFollow(
  larder: Larder,
  file: string,
  progress: ScanProgress,
  signal: AbortSignal,
): Promise<ScanEvent> {
  const bytes = await readImageFile(file);
  if ('code' in bytes) throw new Refused(bytes);
  const image = inspectImage(bytes);
  if (isRefusal(image)) throw new Refused(image);
  const scan = await larder.scans.create(bytes, {
    clientId: CLIENT_ID,
    contentType: image.type,
    onUpload: ({ totalBytes }) => progress.update(`sending ${Math.ceil(totalBytes / 1_000)} kB`),
    signal,
  });
  let last: ScanEvent | undefined;
  for await (const state of scan.states({ signal })) {
    progress.update(state.status.replace('_', ' '));
    last = state;
  }
  return last!;
}

/** This program rejects the file. */
class Refused extends Error {
  readonly trouble: ScanTrouble;

  constructor(trouble: ScanTrouble) {
    super(trouble.message);
    this.trouble = trouble;
  }
}

/** Ends the command if no other file can succeed. */
function throwIfHopeless(error: LarderError, { keyName, urlSource }: ServiceAccess): void {
  if (error.code === 'connection_failed') throw unreachable(error.details.origin, urlSource, error.cause);
  const lacksScope = error.code === 'forbidden' && error.details.scope !== undefined;
  if (!lacksScope && !BAD_CREDENTIAL.test(error.code)) return;
  throw new OperatorError(
    `The service refuses ${keyName}: ${error.message} --key takes a key with the scope scan.`,
  );
}

function troubleOf(error: unknown, signal: AbortSignal, timeoutS: number): ScanTrouble {
  if (error instanceof Refused) return error.trouble;
  if (error instanceof LarderError) return { code: error.code, message: error.message };
  if (!signal.aborted) throw error;
  return { code: 'timeout', message: `There was no result within ${timeoutS} s; --timeout allows more.` };
}
