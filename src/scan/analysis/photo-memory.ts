import type { Food } from '@larder/core/food.ts';

/** A photo on which somebody confirmed a food. */
export interface RememberedPhoto {
  readonly foodId: string;
  readonly vector: Int8Array;
  /** The day of its diary entry; absent for photos of people who share their diary. */
  readonly date?: string;
}

/** The photos of a household, and the foods on them. */
export interface PhotoMemory {
  /** Photos whose vectors come from this network. */
  photosOf(network: string): Promise<readonly RememberedPhoto[]>;
  /** Undefined if there is no such food any more. */
  findFood(id: string): Promise<Food | undefined>;
}

/**
 * The rule of proposals by earlier photos. The score of a food is the cosine of its nearest photo minus `stranger` times the probability of the
 * network's best label that the household did not eat. `npm run bench -- household` measures it, and fits `slope` and `none`.
 */
export interface MemoryRule {
  readonly stranger: number;
  /** From this score on the best food comes first; all others come after the foods of the network. */
  readonly first: number;
  /** Maximum foods that are proposed, and the least confidence of one. */
  readonly most: number;
  readonly least: number;
  /** The confidence of a food is its share of exp(`slope` * score) of all proposed ones and exp(`none`) for another food. */
  readonly slope: number;
  readonly none: number;
}

export const MEMORY_RULE: MemoryRule = {
  stranger: 0.3,
  first: 0.6,
  most: 3,
  least: 0.05,
  slope: 8,
  none: 5,
};

/** A food with its nearest photo. */
export interface LikeFood {
  readonly foodId: string;
  readonly cosine: number;
  readonly date?: string;
}

/** The foods whose nearest photos are the most alike, best first. */
export function foodsLike(
  vector: Int8Array,
  photos: readonly RememberedPhoto[],
  limit: number,
): readonly LikeFood[] {
  const length = lengthOf(vector);
  const best: LikeFood[] = [];
  for (const { foodId, vector: other, date } of photos) {
    if (other.length !== vector.length) continue;
    const cosine = cosineOf(vector, other, length);
    if (best.length === limit && cosine <= best.at(-1)!.cosine) continue;
    const known = best.findIndex((like) => like.foodId === foodId);
    if (known >= 0 && cosine <= best[known]!.cosine) continue;
    if (known >= 0) best.splice(known, 1);
    else if (best.length === limit) best.pop();
    const worse = best.findIndex((like) => like.cosine < cosine);
    const like = { foodId, cosine, ...(date !== undefined && { date }) };
    best.splice(worse < 0 ? best.length : worse, 0, like);
  }
  return best;
}

/** In whole numbers of 32 bits, which is twice as fast. */
function cosineOf(vector: Int8Array, other: Int8Array, length: number): number {
  let dot = 0;
  let squares = 0;
  for (let i = 0; i < other.length; i++) {
    const value = other[i]!;
    dot = (dot + Math.imul(value, vector[i]!)) | 0;
    squares = (squares + Math.imul(value, value)) | 0;
  }
  return squares === 0 || length === 0 ? 0 : dot / (Math.sqrt(squares) * length);
}

/** The score and the confidence of foods with these cosines, where the network names a stranger with this probability. */
export function judgeLikeness<Like extends Pick<LikeFood, 'cosine'>>(
  likes: readonly Like[],
  stranger: number,
  rule: MemoryRule = MEMORY_RULE,
): readonly (Like & { readonly score: number; readonly confidence: number })[] {
  const scored = likes.map((like) => ({ ...like, score: like.cosine - rule.stranger * stranger }));
  const weightOf = (score: number) => Math.exp(rule.slope * score);
  const whole = scored.reduce((sum, { score }) => sum + weightOf(score), Math.exp(rule.none));
  return scored.map((like) => ({ ...like, confidence: weightOf(like.score) / whole }));
}

/** The vector of a `PhotoVector`. */
export function toVector(base64: string): Int8Array {
  return new Int8Array(Buffer.from(base64, 'base64'));
}

function lengthOf(vector: Int8Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}
