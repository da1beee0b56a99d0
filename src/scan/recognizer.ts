import type { FoodId } from '@larder/core/food.ts';
import type { Nutrients } from '@larder/core/nutrients.ts';
import type { Photo } from './images/photo.ts';
import type { ReceiptLine } from './recognizers/receipt/read-receipt.ts';
import type { ReceiptLanguage } from './recognizers/receipt/receipt-words.ts';
import type { Box, PhotoVector } from './scan-result.ts';

/** The names in the order in which the recognizers run; that of receipts runs alone, for scans that ask for it. */
export const RECOGNIZER_NAMES = ['barcode', 'label', 'remote', 'dish', 'receipt'] as const;
export type RecognizerName = (typeof RECOGNIZER_NAMES)[number];

interface Seen {
  /** 0 to 1. */
  readonly confidence: number;
  readonly box?: Box;
}

/** A number with a valid check digit, or a code that holds one; the catalogue finds its product. */
export interface BarcodeProposal extends Seen {
  readonly kind: 'barcode';
  /** 8, 12, 13 or 14 digits, or what a code with more data says: element strings or a Digital Link after its symbology. */
  readonly digits: string;
}

/** Consistent nutrition facts. */
export interface LabelProposal extends Seen {
  readonly kind: 'label';
  readonly basis: 'g' | 'ml';
  readonly per100: Nutrients;
  /** The serving stated on the label, or 100 g if it states none. */
  readonly serving: { readonly value: number; readonly unit: string; readonly basisAmount: number };
}

/** Consistent nutrition facts of one serving that say nothing of 100 g: its weight is unknown, or its values are rounded to zeros. */
export interface ServingLabelProposal extends Seen {
  readonly kind: 'serving_label';
  readonly perServing: Nutrients;
  /** `basisAmount` in g or ml; absent if the weight of the serving is unknown. */
  readonly serving: { readonly value: number; readonly unit: string; readonly basisAmount?: number };
}

/** A food that a model proposes for a whole photo. */
export interface DishCandidate {
  readonly label: string;
  readonly foodId: FoodId;
  /** A usual portion, in g. */
  readonly grams: { readonly typical: number; readonly low: number; readonly high: number };
  /** 0 to 1. */
  readonly confidence: number;
}

/** A class of a trained model, with its food. */
export interface DishProposal extends Seen, DishCandidate {
  readonly kind: 'dish';
  /** The photo shows food, but no result is likely enough: the user should choose. */
  readonly unsure?: true;
  /** Other candidates, best first; at most four. */
  readonly alternatives: readonly Omit<DishCandidate, 'grams'>[];
  /** For ranking anew by what a household eats; it is no part of the full analysis. */
  readonly ranking: {
    /** All candidates, best first, this one included; at most `MAX_RANKED`. */
    readonly candidates: readonly DishCandidate[];
    /** The confidence from which the first one is not `unsure`; absent if it never is. */
    readonly sureFrom?: number;
    /** Absent for models of which nothing is kept. */
    readonly vector?: PhotoVector;
  };
}

/** Candidates of a dish that habits may put first. */
export const MAX_RANKED = 20;
/** Candidates of a dish that clients see. */
const MAX_SHOWN = 5;

/** Makes the proposal of at least one candidate, best first. */
export function dishProposal(candidates: readonly DishCandidate[], sureFrom?: number): DishProposal {
  const [best, ...others] = candidates as readonly [DishCandidate, ...DishCandidate[]];
  return {
    kind: 'dish',
    ...best,
    ...(sureFrom !== undefined && best.confidence < sureFrom && { unsure: true }),
    alternatives: others
      .slice(0, MAX_SHOWN - 1)
      .map(({ label, foodId, confidence }) => ({ label, foodId, confidence })),
    ranking: {
      candidates: candidates.slice(0, MAX_RANKED),
      ...(sureFrom !== undefined && { sureFrom }),
    },
  };
}

/** The name of a food to be found in the catalogue. */
export interface NamedProposal extends Seen {
  readonly kind: 'named';
  readonly name: string;
  readonly grams?: number;
}

/** The products of a receipt, each to be looked for by its name. */
export interface ReceiptProposal extends Seen {
  readonly kind: 'receipt';
  readonly lang?: ReceiptLanguage;
  /** At least one. */
  readonly lines: readonly ReceiptLine[];
}

export type Proposal =
  | BarcodeProposal
  | LabelProposal
  | ServingLabelProposal
  | DishProposal
  | NamedProposal
  | ReceiptProposal;

/** A proposal as the full analysis has it. */
export type KeptProposal = Exclude<Proposal, DishProposal> | Omit<DishProposal, 'ranking'>;

/** Cost of using an external model. */
export interface RecognizerUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost by the configured prices; absent if no prices are configured. */
  readonly costUsd?: number;
}

export interface Recognition {
  /** Empty if nothing was recognized, which is not an error. */
  readonly proposals: readonly Proposal[];
  readonly usage?: RecognizerUsage;
  /**
   * Says in a sentence which food the photo names in an unreadable form. Then the food should not be guessed
   * by its appearance.
   */
  readonly unreadable?: string;
  /** Further information for the full analysis; plain JSON, at most a few KB. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * One method to recognize food on a photo. It only proposes; the catalogue supplies nutrients. It stores no photo and
 * takes one at a time. Throws a `RecognizerUnavailable` if it cannot work at all.
 */
export interface Recognizer {
  readonly name: RecognizerName;
  /** Version of the library and model, for the analysis. */
  readonly version: string;
  recognize(photo: Photo, signal: AbortSignal): Promise<Recognition>;
  close(): Promise<void>;
}

/** The recognizer is temporarily unavailable: another attempt may succeed. */
export class RecognizerUnavailable extends Error {
  override readonly name = 'RecognizerUnavailable';
  /** Unusable responses are charged too. */
  readonly usage: RecognizerUsage | undefined;

  constructor(message: string, { usage, ...options }: ErrorOptions & { usage?: RecognizerUsage } = {}) {
    super(message, options);
    this.usage = usage;
  }
}
