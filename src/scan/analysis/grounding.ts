import { findScannedCode } from '@larder/core/codes/scanned-code.ts';
import type { Food, KnownProduct, Serving } from '@larder/core/food.ts';
import type { NutrientKey, Nutrients, PartialNutrients } from '@larder/core/nutrients.ts';
import { round } from '@larder/core/rounding.ts';
import type { ScannedFacts } from '@larder/core/scanned-facts.ts';
import { usualServing } from '@larder/text/parse/grams/typical-units.ts';
import { scannedFacts } from '../../foods/visible-foods.ts';
import type {
  BarcodeProposal,
  DishProposal,
  LabelProposal,
  NamedProposal,
  Proposal,
  ReceiptProposal,
  ServingLabelProposal,
} from '../recognizer.ts';
import type { ScanReceipt } from '../scan-receipt.ts';
import {
  type Alternative,
  type Because,
  type Box,
  type ItemOrigin,
  MAX_SCAN_ITEMS,
  type ScanItem,
  type UnknownProduct,
} from '../scan-result.ts';
import { type EatenBefore, HABIT_RULE, rankByHabit } from './habits.ts';
import { groundReceipt } from './receipt-foods.ts';
import { findByName, type ScanFoods } from './scan-foods.ts';

/** The name of a food that is known only from its label. */
const UNNAMED = 'Packaged food';

/** Removes binary rounding noise. Responses round to three decimals; a diary sums these values. */
const SIGNIFICANT_DIGITS = 12;

type ServedAmount = Pick<Serving, 'value' | 'unit' | 'basisAmount'>;

export interface FoodItemOptions {
  readonly food: Food;
  readonly origin: ItemOrigin;
  readonly serving: ServedAmount;
  readonly range?: { readonly low: number; readonly high: number };
  readonly barcode?: string;
  readonly scanned?: ScannedFacts;
  readonly confidence: number;
  readonly unsure?: true | undefined;
  readonly because?: Because | undefined;
  readonly box?: Box | undefined;
  readonly alternatives?: readonly Alternative[];
}

function foodItem(parts: FoodItemOptions): ScanItem {
  const {
    food,
    origin,
    serving,
    range,
    barcode,
    scanned,
    confidence,
    unsure,
    because,
    box,
    alternatives = [],
  } = parts;
  return {
    name: food.name,
    ...(food.brand !== undefined && { brand: food.brand }),
    foodId: food.id,
    ...(barcode !== undefined && { barcode }),
    ...(scanned !== undefined && { scanned }),
    origin,
    confidence: round(confidence),
    ...(unsure && { unsure }),
    ...(because && { because }),
    ...served(serving, food.per100),
    ...(range !== undefined && { servingRangeGrams: range }),
    ...(box !== undefined && { box }),
    alternatives: alternatives.map((other) => ({ ...other, confidence: round(other.confidence) })),
  };
}

/** Makes an item of a label. `product` is the known name and brand of the barcode. */
function labelItem(
  proposal: LabelProposal | ServingLabelProposal,
  barcode?: string,
  product?: KnownProduct,
): ScanItem {
  const { confidence, box } = proposal;
  return {
    name: product?.name ?? UNNAMED,
    ...(product?.brand !== undefined && { brand: product.brand }),
    ...(barcode !== undefined && { barcode }),
    origin: 'label',
    confidence: round(confidence),
    ...(proposal.kind === 'label' ? served(proposal.serving, proposal.per100) : asPrinted(proposal)),
    ...(box !== undefined && { box }),
    alternatives: [],
  };
}

/** The values of one serving as the label has them. */
function asPrinted({ serving: { value, unit, basisAmount }, perServing }: ServingLabelProposal) {
  return {
    serving: { value: round(value), unit },
    servingGrams: round(basisAmount ?? 0),
    ...(basisAmount === undefined && { weightUnknown: true as const }),
    macros: perServing,
  };
}

/** A serving of `grams` g; for a drink by volume, of that many ml. */
function gramsServing({ basis }: Food, grams: number): ServedAmount {
  return { value: grams, unit: basis, basisAmount: grams };
}

function served(serving: ServedAmount, per100: Nutrients) {
  const macros: PartialNutrients = {};
  for (const [key, amount] of Object.entries(per100) as [NutrientKey, number][]) {
    macros[key] = Number(((amount * serving.basisAmount) / 100).toPrecision(SIGNIFICANT_DIGITS));
  }
  return {
    serving: { value: round(serving.value), unit: serving.unit },
    servingGrams: round(serving.basisAmount),
    macros: macros as Nutrients,
  };
}

/** The range around an amount estimated by eye, as shares of the estimate. An assumption, not measured. */
const ESTIMATE_RANGE = { low: 0.6, high: 1.6 };

export interface Grounded {
  /** Items in the order of the proposals; proposals without a food in the catalogue are left out. */
  readonly items: readonly ScanItem[];
  /** All products whose barcode was read so far and that became no item; at most `MAX_SCAN_ITEMS`. */
  readonly unknownProducts: readonly UnknownProduct[];
  /** Of a proposal for a receipt. */
  readonly receipt?: ScanReceipt;
}

/**
 * Turns the proposals for one photo into items whose amounts come from the catalogue or from a consistent label.
 * Remembers barcodes missing in the catalogue, to assign a label on the same photo to them.
 */
export class Grounding {
  readonly #foods: ScanFoods;
  readonly #unknown = new Map<string, KnownProduct | undefined>();

  constructor({ foods }: { foods: ScanFoods }) {
    this.#foods = foods;
  }

  /** Grounds the proposals of one recognizer. Call it once for each recognizer with proposals. */
  async ground(proposals: readonly Proposal[]): Promise<Grounded> {
    const items: ScanItem[] = [];
    for (const proposal of proposals) {
      const item = await this.#ground(proposal);
      // A package may show two barcodes, its own and that of its case, and each of them twice.
      const twice = item?.origin === 'barcode' && items.some(({ foodId }) => foodId === item.foodId);
      if (item !== undefined && !twice) items.push(item);
      if (items.length === MAX_SCAN_ITEMS) break;
    }
    const read = proposals.find(({ kind }) => kind === 'receipt') as ReceiptProposal | undefined;
    const receipt = read && (await groundReceipt(read, this.#foods));
    return { items, unknownProducts: this.#unknownBeside(items), ...(receipt && { receipt }) };
  }

  #unknownBeside(items: readonly ScanItem[]): UnknownProduct[] {
    return [...this.#unknown]
      .filter(([digits]) => !items.some(({ barcode }) => barcode === digits))
      .slice(0, MAX_SCAN_ITEMS)
      .map(([barcode, product]) => ({
        barcode,
        ...(product && { name: product.name, brand: product.brand }),
      }));
  }

  async #ground(proposal: Proposal): Promise<ScanItem | undefined> {
    switch (proposal.kind) {
      case 'barcode':
        return this.#groundBarcode(proposal);
      case 'label':
      case 'serving_label': {
        // With several unknown packages on the photo, the label could belong to any of them.
        const [digits, ...others] = this.#unknown.keys();
        if (digits === undefined || others.length > 0) return labelItem(proposal);
        return labelItem(proposal, digits, this.#unknown.get(digits));
      }
      case 'dish':
        return this.#groundDish(proposal);
      case 'named':
        return this.#groundName(proposal);
      case 'receipt':
        // What was bought is no item of a plate.
        return undefined;
    }
  }

  async #groundBarcode({ digits, ...seen }: BarcodeProposal): Promise<ScanItem | undefined> {
    const code = findScannedCode(digits);
    if (code === undefined) return undefined;
    const { barcode } = code;
    const match = await this.#foods.findByBarcode(barcode);
    if (match !== undefined && 'food' in match) {
      const { food } = match;
      const scanned = scannedFacts(code, food);
      const serving = servedBy(food, scanned?.amount);
      return foodItem({ food, origin: 'barcode', serving, barcode, ...(scanned && { scanned }), ...seen });
    }
    this.#unknown.set(barcode, match && 'known' in match ? match.known : undefined);
    return undefined;
  }

  async #groundDish(proposal: DishProposal): Promise<ScanItem | undefined> {
    return (await this.#groundHabit(proposal)) ?? this.#groundAsProposed(proposal);
  }

  async #groundAsProposed(proposal: DishProposal): Promise<ScanItem | undefined> {
    const { foodId, grams, unsure, confidence, box } = proposal;
    const food = await this.#foods.findById(foodId);
    if (food === undefined) return undefined;
    const { typical, low, high } = grams;
    return foodItem({
      food,
      origin: 'dish',
      serving: gramsServing(food, typical),
      range: { low, high },
      confidence,
      unsure,
      box,
      alternatives: await this.#alternatives(proposal),
    });
  }

  /** The item as ranked by what the household eats; undefined if it ate none of the candidates. */
  async #groundHabit({ ranking, alternatives: shown, box }: DishProposal): Promise<ScanItem | undefined> {
    const habits = await this.#foods.habits?.();
    if (habits === undefined || habits.foods.size === 0) return undefined;
    const found = await Promise.all(
      ranking.candidates.map(async (candidate) => {
        // A food that is too unlikely to rise is not searched for.
        const isLikely = candidate.confidence >= HABIT_RULE.least;
        const food = isLikely ? await this.#foods.findById(candidate.foodId) : undefined;
        return { ...candidate, food, eaten: food && habits.foods.get(food.id) };
      }),
    );
    if (found.every(({ eaten }) => eaten === undefined)) return undefined;
    const [first, ...others] = rankByHabit(found, ({ eaten }) => eaten?.strength, habits.repeats);
    const { food, eaten, grams, confidence } = first!;
    if (food === undefined) return undefined;
    const typical = eaten?.own?.usualAmount(food) ?? grams.typical;
    const { sureFrom } = ranking;
    return foodItem({
      food,
      origin: 'dish',
      serving: gramsServing(food, typical),
      range: { low: Math.min(grams.low, typical), high: Math.max(grams.high, typical) },
      confidence,
      unsure: sureFrom !== undefined && confidence < sureFrom ? true : undefined,
      because: eaten && becauseOf(eaten),
      box,
      alternatives: await this.#alternatives({ alternatives: others.slice(0, shown.length) }),
    });
  }

  async #alternatives({ alternatives }: Pick<DishProposal, 'alternatives'>): Promise<Alternative[]> {
    const foods = await Promise.all(alternatives.map(({ foodId }) => this.#foods.findById(foodId)));
    return foods.flatMap((food, index) =>
      food === undefined
        ? []
        : [{ name: food.name, foodId: food.id, confidence: alternatives[index]!.confidence }],
    );
  }

  async #groundName({ name, grams, confidence, box }: NamedProposal): Promise<ScanItem | undefined> {
    const found = await findByName(this.#foods, name);
    if (found === undefined) return undefined;
    const { food, likeness, others } = found;
    return foodItem({
      food,
      origin: 'dish',
      serving: grams === undefined ? usualServing(food) : gramsServing(food, grams),
      ...(grams !== undefined && {
        range: { low: Math.round(grams * ESTIMATE_RANGE.low), high: Math.round(grams * ESTIMATE_RANGE.high) },
      }),
      confidence: confidence * likeness,
      box,
      alternatives: others.map(({ food: other, likeness: share }) => ({
        name: other.name,
        foodId: other.id,
        confidence: confidence * share,
      })),
    });
  }
}

/** The amount that a code states; otherwise the food's own serving, since a label of a scale may hold a price instead. */
function servedBy(food: Food, stated: ScannedFacts['amount']) {
  return stated !== undefined && stated.assumed === undefined && stated.unit === food.basis
    ? gramsServing(food, stated.quantity)
    : food.servings[0];
}

/** Of others it says neither when nor how often they ate the food. */
function becauseOf({ own }: EatenBefore): Because {
  return own === undefined
    ? { kind: 'household_eats_this' }
    : { kind: 'you_eat_this', times: own.times, last: own.last };
}
