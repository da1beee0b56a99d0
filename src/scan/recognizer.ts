import type { FoodId } from '../catalogue/food/food.ts';
import type { Nutrients } from '../catalogue/food/nutrients.ts';
import type { Photo } from './images/photo.ts';
import type { Box } from './scan-result.ts';

/** In the order in which they are asked. */
export const RECOGNIZER_NAMES = ['barcode', 'label', 'remote', 'dish'] as const;
export type RecognizerName = (typeof RECOGNIZER_NAMES)[number];

interface Seen {
  /** 0 to 1. */
  readonly confidence: number;
  readonly box?: Box;
}

/** A number with a right check digit was read; the catalogue decides what it belongs to. */
export interface BarcodeProposal extends Seen {
  readonly kind: 'barcode';
  /** 8, 12, 13 or 14 digits. */
  readonly digits: string;
}

/** Nutrition facts were read, and add up. */
export interface LabelProposal extends Seen {
  readonly kind: 'label';
  readonly basis: 'g' | 'ml';
  readonly per100: Nutrients;
  /** As the label states it; 100 g where it states none. */
  readonly serving: { readonly value: number; readonly unit: string; readonly basisAmount: number };
}

/** A class of a trained model, tied to a food. */
export interface DishProposal extends Seen {
  readonly kind: 'dish';
  /** It is food, but no reading is likely enough: the user should choose. */
  readonly unsure?: true;
  readonly label: string;
  readonly foodId: FoodId;
  /** A usual helping, in g. */
  readonly grams: { readonly typical: number; readonly low: number; readonly high: number };
  /** Other readings of the same thing, best first; at most four. */
  readonly alternatives: readonly {
    readonly label: string;
    readonly foodId: FoodId;
    readonly confidence: number;
  }[];
}

/** A food by name, to be found in the catalogue. */
export interface NamedProposal extends Seen {
  readonly kind: 'named';
  readonly name: string;
  readonly grams?: number;
}

export type Proposal = BarcodeProposal | LabelProposal | DishProposal | NamedProposal;

/** What asking an outside model cost. */
export interface RecognizerUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** By the prices in the configuration; absent without them. */
  readonly costUsd?: number;
}

export interface Recognition {
  /** Empty where nothing was recognized, which is no error. */
  readonly proposals: readonly Proposal[];
  readonly usage?: RecognizerUsage;
  /** More about how it came to them, for the full analysis; plain JSON, at most a few KB. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * One way to tell what is on a photo. It only proposes; the catalogue decides, so that macros come from data. It keeps
 * nothing of a photo and takes one photo at a time. Throws a `RecognizerUnavailable` where it cannot work at all.
 */
export interface Recognizer {
  readonly name: RecognizerName;
  /** Of the library and the model, for the analysis. */
  readonly version: string;
  recognize(photo: Photo, signal: AbortSignal): Promise<Recognition>;
  close(): Promise<void>;
}

/** The recognizer cannot be asked at the moment: another attempt may succeed. */
export class RecognizerUnavailable extends Error {
  override readonly name = 'RecognizerUnavailable';
  /** Answers that cannot be used are charged too. */
  readonly usage: RecognizerUsage | undefined;

  constructor(message: string, { usage, ...options }: ErrorOptions & { usage?: RecognizerUsage } = {}) {
    super(message, options);
    this.usage = usage;
  }
}
