import { ORIGINS, type Origin } from './food.ts';

/** Of the part after the colon. */
const MAX_KEY_LENGTH = 60;

export interface FoodIdParts {
  readonly origin: Origin;
  /** Position in `ORIGINS`. */
  readonly originNumber: number;
  readonly key: string;
}

/** Takes an id apart; undefined where the text cannot be one. */
export function parseFoodId(id: string): FoodIdParts | undefined {
  const colon = id.indexOf(':');
  const originNumber = (ORIGINS as readonly string[]).indexOf(id.slice(0, colon));
  const key = id.slice(colon + 1);
  if (originNumber === -1 || key.length === 0 || key.length > MAX_KEY_LENGTH) return undefined;
  return { origin: ORIGINS[originNumber]!, originNumber, key };
}
