import { type ImageFacts, isRefusal } from '../images/image-facts.ts';
import { inspectImage } from '../images/inspect-image.ts';
import { OpenPhoto, UnreadableImage } from '../images/open-photo.ts';
import {
  type KeptProposal,
  type Proposal,
  type Recognition,
  type Recognizer,
  RecognizerUnavailable,
} from '../recognizer.ts';
import type { ScanFailure, ScanKind } from '../scan-job.ts';
import type { ScanReceipt } from '../scan-receipt.ts';
import {
  type PhotoVector,
  type ScanItem,
  toReceiptResult,
  toScanResult,
  type UnknownProduct,
} from '../scan-result.ts';
import { ANALYSIS_VERSION, type Analysis, type AnalysisOutcome, type RecognizerRun } from './analysis.ts';
import type { Grounded } from './grounding.ts';

export interface AnalyseOptions {
  readonly bytes: Uint8Array;
  /** `food` if absent. */
  readonly kind?: ScanKind | undefined;
  /** Recognizers in the order in which they are called. */
  readonly recognizers: readonly Recognizer[];
  /**
   * Grounds proposals by the foods that the scan's owner sees (see `Grounding`). Called once for each
   * recognizer with proposals.
   */
  readonly ground: (proposals: readonly Proposal[]) => Promise<Grounded>;
  readonly signal: AbortSignal;
  /** A clock in milliseconds with fractions and any starting point. */
  readonly nowMs: () => number;
}

/**
 * Analyses a photo. Asks the recognizers from the most certain to the least, until the catalogue knows the food that
 * one of them proposes:
 *
 *     inspect ─▶ open ─▶ barcode ─▶ label ─▶ remote ─▶ dish ─▶ no_food_detected
 *                           └─────────┴────────┴────────┴────▶ items
 *
 * A receipt is read by the recognizer of receipts alone, and only if the scan asks for it.
 *
 * Failures caused by the image or the catalogue are part of the outcome. Throws the signal's reason, and every error of
 * a recognizer except `RecognizerUnavailable`.
 */
export async function analyse(parts: AnalyseOptions): Promise<AnalysisOutcome> {
  const { bytes, nowMs } = parts;
  const startedAtMs = nowMs();
  const facts = inspectImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (isRefusal(facts)) {
    const timings = { decodeMs: 0, groundMs: 0, totalMs: toMs(nowMs() - startedAtMs) };
    const analysis: Analysis = { version: ANALYSIS_VERSION, timings, recognizers: [], items: [] };
    return { analysis, failure: { ...facts, retryable: false } };
  }
  const search = new PhotoSearch(parts, facts);
  const failure = await search.run();
  const analysis = search.analysis(nowMs() - startedAtMs);
  const { items } = analysis;
  if (search.receipt !== undefined) return { analysis, result: toReceiptResult(search.receipt) };
  const { vector } = search;
  if (items.length > 0)
    return { analysis, result: toScanResult(items, search.unknownProducts), ...(vector && { vector }) };
  return { analysis, failure: failure ?? search.failure() };
}

/** The analysis of one photo by all recognizers. */
class PhotoSearch {
  readonly #parts: AnalyseOptions;
  readonly #facts: ImageFacts;
  readonly #runs: RecognizerRun[] = [];
  #items: readonly ScanItem[] = [];
  #unknownProducts: readonly UnknownProduct[] = [];
  #receipt: ScanReceipt | undefined;
  #vector: PhotoVector | undefined;
  #photo: OpenPhoto | undefined;
  #unreadable: string | undefined;
  #groundMs = 0;

  constructor(parts: AnalyseOptions, facts: ImageFacts) {
    this.#parts = parts;
    this.#facts = facts;
  }

  /** Returns a failure only if the image causes it. */
  async run(): Promise<ScanFailure | undefined> {
    const { bytes, recognizers, kind = 'food', nowMs, signal } = this.#parts;
    try {
      this.#photo = await OpenPhoto.open(bytes, this.#facts, nowMs);
      const asked = recognizers.filter(({ name }) => (name === 'receipt') === (kind === 'receipt'));
      if (asked.length === 0 && kind === 'receipt') this.#unreadable = NO_READER;
      for (const recognizer of asked) {
        signal.throwIfAborted();
        // A label in a picture is not a dish.
        if (recognizer.name === 'dish' && this.#unreadable !== undefined) continue;
        await this.#ask(recognizer, this.#photo);
        if (this.#isFound) return;
      }
      return;
    } catch (error) {
      if (error instanceof UnreadableImage) return error.failure;
      throw error;
    }
  }

  async #ask(recognizer: Recognizer, photo: OpenPhoto): Promise<void> {
    const { signal, nowMs } = this.#parts;
    const startedAtMs = nowMs();
    const decodedBeforeMs = photo.decodeMs;
    const recognition = await orUnavailable(recognizer.recognize(photo, signal));
    const ms = toMs(nowMs() - startedAtMs - (photo.decodeMs - decodedBeforeMs));
    signal.throwIfAborted();
    const isAvailable = !(recognition instanceof RecognizerUnavailable);
    const { proposals, unreadable, ...rest } = isAvailable ? recognition : nothingOf(recognition);
    this.#unreadable ??= unreadable;
    if (proposals.length > 0) await this.#ground(proposals);
    this.#runs.push({
      name: recognizer.name,
      version: recognizer.version,
      ms,
      outcome: isAvailable ? outcomeOf(recognition, this.#isFound) : 'unavailable',
      proposals: proposals.map(kept),
      ...rest,
    });
  }

  async #ground(proposals: readonly Proposal[]): Promise<void> {
    const { ground, nowMs } = this.#parts;
    const startedAtMs = nowMs();
    const { items, unknownProducts, receipt, vector } = await ground(proposals);
    this.#items = items;
    this.#receipt = receipt;
    this.#vector = vector;
    this.#unknownProducts = unknownProducts;
    this.#groundMs += nowMs() - startedAtMs;
  }

  get #isFound(): boolean {
    return this.#items.length > 0 || this.#receipt !== undefined;
  }

  get receipt(): ScanReceipt | undefined {
    return this.#receipt;
  }

  get vector(): PhotoVector | undefined {
    return this.#vector;
  }

  get unknownProducts(): readonly UnknownProduct[] {
    return this.#unknownProducts;
  }

  analysis(totalMs: number): Analysis {
    return {
      version: ANALYSIS_VERSION,
      image: { ...this.#facts, sizeBytes: this.#parts.bytes.length },
      timings: {
        decodeMs: toMs(this.#photo?.decodeMs ?? 0),
        groundMs: toMs(this.#groundMs),
        totalMs: toMs(totalMs),
      },
      recognizers: this.#runs,
      items: this.#items,
    };
  }

  /** The reason for an empty result: nothing was recognized, or no recognizer of whole dishes was available. */
  failure(): ScanFailure {
    const looked = this.#runs.some(
      ({ name, outcome }) => BY_LOOKS.includes(name) && outcome !== 'unavailable',
    );
    const unknownProducts = this.#unknownProducts;
    const beside = unknownProducts.length > 0 && { unknownProducts };
    if (!looked && this.#runs.some(({ outcome }) => outcome === 'unavailable')) {
      return {
        code: 'recognizer_unavailable',
        message: 'What could recognize this image cannot be reached at the moment.',
        retryable: true,
        ...beside,
      };
    }
    const message =
      unknownProducts.length === 0
        ? (this.#unreadable ?? 'No food was recognized on the image.')
        : `The image shows the barcode ${unknownProducts.map(({ barcode }) => barcode).join(' and ')}, which no food here has.`;
    return { code: 'no_food_detected', message, retryable: false, ...beside };
  }
}

/** The answer of a service whose packages for reading text are missing. */
const NO_READER = 'This service cannot read receipts: its packages for reading text are not installed.';

/** The recognizers that recognize any food by its appearance, packaged or not. */
const BY_LOOKS: readonly RecognizerRun['name'][] = ['remote', 'dish'];

async function orUnavailable(
  recognition: Promise<Recognition>,
): Promise<Recognition | RecognizerUnavailable> {
  try {
    return await recognition;
  } catch (error) {
    if (error instanceof RecognizerUnavailable) return error;
    throw error;
  }
}

function nothingOf({ usage }: RecognizerUnavailable): Recognition {
  return { proposals: [], ...(usage !== undefined && { usage }) };
}

function outcomeOf({ proposals }: Recognition, isFound: boolean): RecognizerRun['outcome'] {
  if (isFound) return 'recognized';
  return proposals.length === 0 ? 'nothing' : 'not_in_catalogue';
}

function kept(proposal: Proposal): KeptProposal {
  if (proposal.kind !== 'dish') return proposal;
  const { ranking: _, ...rest } = proposal;
  return rest;
}

/** Rounds to microseconds, the resolution of the clock. */
function toMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
