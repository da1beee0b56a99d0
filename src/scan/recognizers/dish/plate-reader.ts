import type { Photo } from '../../images/photo.ts';
import { type DishCandidate, type DishProposal, dishProposal } from '../../recognizer.ts';
import type { Box } from '../../scan-result.ts';
import type { ClassifierFolder } from './classifier-folder.ts';
import { toTensors } from './image-views.ts';
import type { ModelDescription } from './model-description.ts';
import { calibratedOf, candidatesOf, probabilitiesOf } from './predictions.ts';

/** The parts of a photo that are looked at. */
const QUARTERS: readonly Box[] = [
  { left: 0, top: 0, width: 0.5, height: 0.5 },
  { left: 0.5, top: 0, width: 0.5, height: 0.5 },
  { left: 0, top: 0.5, width: 0.5, height: 0.5 },
  { left: 0.5, top: 0.5, width: 0.5, height: 0.5 },
];
/** A quarter that probably shows no food. */
const NOT_FOOD = 0.5;
/** A quarter in which no food is likelier. */
const FAINT = 0.15;
/** Probabilities below this one say nothing. */
const LEAST = 1e-4;
/** Keeps products of probabilities from being zero. */
const TINY = 1e-6;

type PlateRule = NonNullable<ModelDescription['plates']>;
type Model = Pick<ClassifierFolder, 'description' | 'labels'>;
/** Says the logits of each tensor. */
type Look = (tensors: readonly Float32Array[]) => Promise<readonly Float32Array[]>;

/** What speaks for a food in a quarter, as logits of probabilities. */
export interface FoodEvidence {
  /** That the quarter shows it. */
  readonly quarter: number;
  /** That the whole photo shows it. */
  readonly whole: number;
  /** The most that another quarter with a food of its own shows it. */
  readonly elsewhere: number;
  /** How much the places of the photo differ, in nats. */
  readonly variety: number;
}

/** A food that a quarter shows, and perhaps quarters beside it. */
export interface SeenFood {
  readonly box: Box;
  /** Best first. */
  readonly candidates: readonly DishCandidate[];
  readonly evidence: FoodEvidence;
}

/** What the network says of a whole photo. */
export interface WholePhoto {
  /** Of each label. */
  readonly probabilities: readonly number[];
  /** The logits at each place, by view of the photo. */
  readonly places: readonly Float32Array[];
}

/**
 * Finds several foods on a photo. The network's last map tells at no cost whether the places of a photo differ; only then the four quarters
 * are looked at, each alone. A quarter shows what the network says of it, weighed with what it says of the places there in view of the whole
 * photo. Foods that count as there are proposed if they are at least two; else the photo has one dish.
 */
export class PlateReader {
  readonly #model: Model;
  readonly #rule: PlateRule;
  readonly #look: Look;

  constructor(model: Model & { readonly rule: PlateRule; readonly look: Look }) {
    this.#model = model;
    this.#rule = model.rule;
    this.#look = model.look;
  }

  /** At least two proposals, the food of the whole photo first; empty for one food. */
  async read(photo: Photo, whole: WholePhoto): Promise<readonly DishProposal[]> {
    if (!this.isVaried(whole)) return [];
    const judged = (await this.foodsOn(photo, whole))
      .map((seen) => ({ ...seen, confidence: this.#confidenceIn(seen.evidence) }))
      .filter(({ confidence }) => confidence >= this.#rule.atLeast)
      .sort((a, b) => b.confidence - a.confidence);
    if (judged.length < 2) return [];
    const [main] = this.#candidatesOf(whole.probabilities);
    const isMain = ({ candidates }: SeenFood) => candidates[0]!.foodId === main?.foodId;
    return [...judged.filter(isMain), ...judged.filter((seen) => !isMain(seen))].map(
      ({ box, candidates, confidence }) => ({
        ...dishProposal(weighed(candidates, confidence), this.#model.description.unsure?.below),
        box,
      }),
    );
  }

  isVaried(whole: WholePhoto): boolean {
    return this.varietyOf(whole) >= this.#rule.variety;
  }

  /** How much of what the places say is lost in their mean, in nats: 0 if all show the same. */
  varietyOf({ places }: WholePhoto): number {
    const each = this.#placesOf(places).map((logits) =>
      probabilitiesOf([logits], this.#model.description.temperature),
    );
    const mean = each[0]!.map(
      (_, label) => each.reduce((sum, place) => sum + place[label]!, 0) / each.length,
    );
    return entropy(mean) - each.reduce((sum, place) => sum + entropy(place), 0) / each.length;
  }

  /** The foods that quarters show, whether they count or not. */
  async foodsOn(photo: Photo, whole: WholePhoto): Promise<readonly SeenFood[]> {
    const { description, labels } = this.#model;
    const looks = { ...description, views: { ...description.views, default: ['whole' as const] } };
    const tensors = await Promise.all(QUARTERS.map((box) => toTensors(photo, looks, box)));
    const logits = await this.#look(tensors.flat());
    const places = this.#placesOf(whole.places);
    const quarters = QUARTERS.flatMap((box, index) => {
      const alone = calibratedOf([logits[index]!], labels, description);
      if (1 - this.#foodIn(alone) >= NOT_FOOD) return [];
      const there = places.filter((_, place) => contains(box, this.#centreOf(place, photo)));
      const inView = probabilitiesOf([meanOf(there)], description.temperature);
      const candidates = this.#candidatesOf(product(alone, inView, this.#rule.placesShare));
      const [best] = candidates;
      return best === undefined || best.confidence < FAINT ? [] : [{ box, best, candidates }];
    });
    quarters.sort((a, b) => b.best.confidence - a.best.confidence);
    const ofWhole = this.#candidatesOf(whole.probabilities);
    const variety = this.varietyOf(whole);
    const firsts = quarters.filter(
      ({ best: { foodId } }, at) => quarters.findIndex(({ best }) => best.foodId === foodId) === at,
    );
    return firsts.map((first) => {
      const { foodId, confidence } = first.best;
      const others = firsts.filter((other) => other !== first);
      const same = quarters.filter(({ best }) => best.foodId === foodId);
      return {
        box: around(
          first.box,
          same.map(({ box }) => box),
        ),
        candidates: first.candidates,
        evidence: {
          quarter: logit(confidence),
          whole: logit(shareOf(foodId, ofWhole)),
          elsewhere: logit(Math.max(0, ...others.map(({ candidates }) => shareOf(foodId, candidates)))),
          variety,
        },
      };
    });
  }

  #confidenceIn({ quarter, whole, elsewhere, variety }: FoodEvidence): number {
    const { weights } = this.#rule;
    const sum =
      weights.quarter * quarter +
      weights.whole * whole +
      weights.elsewhere * elsewhere +
      weights.variety * variety +
      weights.bias;
    return 1 / (1 + Math.exp(-sum));
  }

  /** The logits at each place, the mean over the views, the mirror image turned back. */
  #placesOf(views: readonly Float32Array[]): Float32Array[] {
    const { rows, columns } = this.#rule;
    const { output, views: rule } = this.#model.description;
    return Array.from({ length: rows * columns }, (_, place) => {
      const [row, column] = [Math.floor(place / columns), place % columns];
      const mean = new Float32Array(output.classes);
      for (const [view, logits] of views.entries()) {
        const from = rule.default[view] === 'mirror' ? columns - 1 - column : column;
        for (let label = 0; label < output.classes; label++)
          mean[label]! += logits[(label * rows + row) * columns + from]! / views.length;
      }
      return mean;
    });
  }

  /** Where on the photo the middle of a place is. */
  #centreOf(place: number, { widthPx, heightPx }: Pick<Photo, 'widthPx' | 'heightPx'>) {
    const { rows, columns } = this.#rule;
    const { width, height, fit } = this.#model.description.input;
    // `cover` cuts the middle out of a photo of other proportions.
    const ratio = fit === 'cover' ? (widthPx * height) / (heightPx * width) : 1;
    const [seenWidth, seenHeight] = [Math.min(1, 1 / ratio), Math.min(1, ratio)];
    return {
      x: 0.5 + (((place % columns) + 0.5) / columns - 0.5) * seenWidth,
      y: 0.5 + ((Math.floor(place / columns) + 0.5) / rows - 0.5) * seenHeight,
    };
  }

  #foodIn(probabilities: readonly number[]): number {
    const { notFood } = this.#model.description;
    return notFood === null ? 1 : 1 - probabilities[notFood.index]!;
  }

  #candidatesOf(probabilities: readonly number[]): DishCandidate[] {
    return candidatesOf(probabilities, this.#model.labels, Math.max(TINY, this.#foodIn(probabilities)));
  }
}

function shareOf(foodId: string, candidates: readonly DishCandidate[]): number {
  return candidates.find((candidate) => candidate.foodId === foodId)?.confidence ?? 0;
}

/** Candidates of which the first has this confidence; the others share the rest. */
function weighed([best, ...others]: readonly DishCandidate[], confidence: number): DishCandidate[] {
  const rest = (1 - confidence) / Math.max(TINY, 1 - best!.confidence);
  return [
    { ...best!, confidence },
    ...others.map((other) => ({ ...other, confidence: other.confidence * rest })),
  ];
}

/** `a` and `b`, weighed by the exponents `1 - share` and `share`, with the sum 1. */
function product(a: readonly number[], b: readonly number[], share: number): number[] {
  const powers = a.map((value, index) => (value + TINY) ** (1 - share) * (b[index]! + TINY) ** share);
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

function entropy(probabilities: readonly number[]): number {
  return probabilities.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
}

function logit(probability: number): number {
  const p = Math.min(1 - LEAST, Math.max(LEAST, probability));
  return Math.log(p / (1 - p));
}

function meanOf(each: readonly Float32Array[]): Float32Array {
  return each[0]!.map((_, index) => each.reduce((sum, values) => sum + values[index]!, 0) / each.length);
}

function contains({ left, top, width, height }: Box, { x, y }: { readonly x: number; readonly y: number }) {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/** The box, with those of the same food that lie beside it. */
function around(box: Box, same: readonly Box[]): Box {
  const beside = same.filter((other) => other.left === box.left || other.top === box.top);
  const [left, top] = [
    Math.min(...beside.map((each) => each.left)),
    Math.min(...beside.map((each) => each.top)),
  ];
  const right = Math.max(...beside.map((each) => each.left + each.width));
  const bottom = Math.max(...beside.map((each) => each.top + each.height));
  return { left, top, width: right - left, height: bottom - top };
}
