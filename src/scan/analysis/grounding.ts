import { findScannedCode } from '@larder/core/codes/scanned-code.ts';
import type { Food, KnownProduct } from '@larder/core/food.ts';
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
import type { ReceiptProduct, ScanReceipt } from '../scan-receipt.ts';
import { MAX_SCAN_ITEMS, type PhotoVector, type ScanItem, type UnknownProduct } from '../scan-result.ts';
import { groundDish } from './dish-grounding.ts';
import { findByName, type ScanFoods } from './scan-foods.ts';
import { foodItem, gramsServing, served } from './scan-items.ts';

/** The name of a food that is known only from its label. */
const UNNAMED = 'Packaged food';

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

/** The range around an amount estimated by eye, as shares of the estimate. An assumption, not measured. */
const ESTIMATE_RANGE = { low: 0.6, high: 1.6 };

export interface Grounded {
  /** Items in the order of the proposals; proposals without a food in the catalogue are left out. */
  readonly items: readonly ScanItem[];
  /** All products whose barcode was read so far and that became no item; at most `MAX_SCAN_ITEMS`. */
  readonly unknownProducts: readonly UnknownProduct[];
  /** Of a proposal for a receipt. */
  readonly receipt?: ScanReceipt;
  /** What may be kept of the photo; absent where the diary may not be used. */
  readonly vector?: PhotoVector | undefined;
}

/**
 * Turns the proposals for one photo into items whose amounts come from the catalogue or from a consistent label.
 * Remembers barcodes missing in the catalogue, to assign a label on the same photo to them.
 */
export class Grounding {
  readonly #foods: ScanFoods;
  readonly #unknown = new Map<string, KnownProduct | undefined>();
  #vector: PhotoVector | undefined;

  constructor({ foods }: { foods: ScanFoods }) {
    this.#foods = foods;
  }

  /** Grounds the proposals of one recognizer. Call it once for each recognizer with proposals. */
  async ground(proposals: readonly Proposal[]): Promise<Grounded> {
    const items: ScanItem[] = [];
    for (const proposal of proposals) {
      const item = await this.#ground(proposal);
      // A package may show two barcodes, its own and that of its case, and each of them twice. What was eaten before may make two foods of a plate one.
      const isOnce = proposal.kind === 'barcode' || proposal.kind === 'dish';
      const twice = isOnce && items.some(({ foodId }) => foodId === item?.foodId);
      if (item !== undefined && !twice) items.push(item);
      if (items.length === MAX_SCAN_ITEMS) break;
      // An earlier photo of the whole plate says more than its parts.
      if (item?.likePhoto !== undefined) break;
    }
    const read = proposals.find(({ kind }) => kind === 'receipt') as ReceiptProposal | undefined;
    const receipt = read && (await groundReceipt(read, this.#foods));
    return {
      items,
      unknownProducts: this.#unknownBeside(items),
      vector: this.#vector,
      ...(receipt && { receipt }),
    };
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
    const { item, vector } = await groundDish(proposal, this.#foods);
    // The first proposal of a plate has that of the whole photo.
    this.#vector ??= vector;
    return item;
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

/**
 * Below it no food is proposed: an unknown word is better left than guessed. `npm run bench -- receipts` prints what other values
 * would propose.
 */
const LEAST_CONFIDENCE = 0.6;
/** Below it a name is not legible enough to be looked for. */
const LEAST_LEGIBILITY = 0.7;

/** Finds the foods that the names on a receipt mean. */
export async function groundReceipt(
  { lines, lang }: ReceiptProposal,
  foods: Pick<ScanFoods, 'readNames'>,
): Promise<ScanReceipt> {
  const legible = lines.map(({ name, confidence }) => (confidence < LEAST_LEGIBILITY ? '' : name));
  const found = new Map((await foods.readNames(legible, lang)).map((each) => [each.index, each] as const));
  return {
    lines: lines.map(({ name: _, confidence: legibility, ...line }, at): ReceiptProduct => {
      const named = found.get(at);
      if (named === undefined || named.confidence < LEAST_CONFIDENCE) return line;
      const { id: foodId, name, brand } = named.food;
      const confidence = round(named.confidence * legibility);
      return { ...line, food: { foodId, name, ...(brand !== undefined && { brand }), confidence } };
    }),
  };
}
