import { performance } from 'node:perf_hooks';
import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { readConfig } from '../../config/config.ts';
import { isRefusal } from '../../scan/images/image-facts.ts';
import { inspectImage } from '../../scan/images/inspect-image.ts';
import { readImageFile } from '../terminal/file-arguments.ts';
import { serviceAccess } from '../terminal/service-access.ts';
import { numberOption, print, type Terminal } from '../terminal/terminal.ts';
import { isFinal, type ScanAnswer, ScanClient, ScanRefused, type ScanTrouble } from './scan-client.ts';
import { ScanProgress, scanTable } from './scan-output.ts';

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

/** The result of one file. */
interface Scanned {
  readonly answer?: ScanAnswer;
  readonly error?: ScanTrouble;
}

/** `larder scan`: scans images with a running service. */
export function scanCommand(terminal: Terminal): Command {
  return new Command('scan')
    .description('Send images to a running service and tell what food is on them.')
    .argument('<file...>', 'JPEG, PNG, HEIC or WebP images, at most 10 MiB each')
    .option('--url <address>', 'where the service is; by default where its settings here say')
    .option(
      '--key <key>',
      'an API key with the scope scan; else LARDER_KEY, else (without --url) the first key of the data folder',
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
Ends with 0 when every image has a result, with 3 when one has none, with 1 when the service cannot be asked.

Examples:
  larder scan lunch.jpg
  larder scan --json *.jpg > results.jsonl
  LARDER_KEY=... larder scan --url https://food.example.org plate.png`,
    )
    .action((files: readonly string[], options: Options) => scanFiles(terminal, files, options));
}

async function scanFiles(terminal: Terminal, files: readonly string[], options: Options): Promise<void> {
  const config = readConfig(terminal.env);
  const { url, key, keyName, isOwn } = await serviceAccess(terminal, config, options);
  if (key === undefined) {
    const noService = `The data folder ${config.dataDir} has no first key; start a service with "larder serve". Or give`;
    const request = 'an API key with the scope scan, with --key or as LARDER_KEY.';
    throw new OperatorError(`${isOwn ? noService : 'Give'} ${request}`);
  }
  const progress = new ScanProgress(terminal.err);
  const client = new ScanClient({
    url,
    key,
    keyName,
    fetch,
    onWait: (seconds) => progress.update(`waiting ${seconds} s, as the service asks`),
  });
  let hasFailed = false;
  for (const file of files) {
    progress.begin(file);
    const { answer, error } = await scanFile(client, file, options.timeout, progress);
    hasFailed ||= error !== undefined;
    if (options.json) print(terminal, `${JSON.stringify({ file, ...answer, ...(error && { error }) })}\n`);
    else if (answer?.result !== undefined) print(terminal, scanTable(answer.result));
  }
  if (hasFailed) process.exitCode = NO_RESULT;
}

async function scanFile(
  client: ScanClient,
  file: string,
  timeoutS: number,
  progress: ScanProgress,
): Promise<Scanned> {
  const startedMs = performance.now();
  const signal = AbortSignal.timeout(timeoutS * 1_000);
  try {
    const answer = await sendAndFollow(client, file, progress, signal);
    const tookS = ((performance.now() - startedMs) / 1_000).toFixed(1);
    progress.end(answer.error === undefined ? `done in ${tookS} s` : toText(answer.error));
    return { answer, ...(answer.error !== undefined && { error: answer.error }) };
  } catch (error) {
    const trouble = troubleOf(error, signal, timeoutS);
    progress.end(toText(trouble));
    return { error: trouble };
  }
}

function toText({ message, code }: ScanTrouble): string {
  return `${message} (${code})`;
}

async function sendAndFollow(
  client: ScanClient,
  file: string,
  progress: ScanProgress,
  signal: AbortSignal,
): Promise<ScanAnswer> {
  const bytes = await readImageFile(file);
  if ('code' in bytes) throw new ScanRefused(bytes);
  const image = inspectImage(bytes);
  if (isRefusal(image)) throw new ScanRefused(image);
  const { jobId, uploadUrl } = await client.create(image.type, signal);
  progress.update(`sending ${Math.ceil(bytes.length / 1_000)} kB`);
  await client.upload(uploadUrl, image.type, bytes, signal);
  for await (const answer of client.follow(jobId, signal)) {
    progress.update(answer.status.replace('_', ' '));
    if (isFinal(answer)) return answer;
  }
  throw new Error(`the scan ${jobId} was followed to no end`);
}

function troubleOf(error: unknown, signal: AbortSignal, timeoutS: number): ScanTrouble {
  if (error instanceof ScanRefused) return error.trouble;
  if (!signal.aborted) throw error;
  return { code: 'timeout', message: `There was no result within ${timeoutS} s; --timeout allows more.` };
}
