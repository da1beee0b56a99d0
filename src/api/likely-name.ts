import { editsBetween } from '../base/texts.ts';

/** Names that other services use for the same parameter. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  q: ['search', 'query', 'text', 'term', 'keyword', 'name'],
  limit: ['size', 'count', 'max', 'take', 'pagesize', 'perpage'],
  // A list that ignored an unknown page parameter would always answer its first page.
  offset: ['skip', 'start', 'page', 'cursor', 'next', 'pagetoken', 'after'],
  after: ['cursor', 'next', 'pagetoken', 'page', 'offset', 'skip', 'start'],
  userId: ['user', 'uid'],
  date: ['day'],
  from: ['start', 'since', 'startdate', 'datefrom', 'date', 'day'],
  to: ['end', 'until', 'enddate', 'dateto'],
  measuredAt: ['time', 'timestamp', 'date'],
  lang: ['language', 'locale'],
  carbs: ['carbohydrates'],
  carbohydrates: ['carbs'],
  barcode: ['gtin', 'ean', 'upc'],
  servingSize: ['serving', 'portion'],
  calories: ['energy', 'kcal'],
  energy: ['calories', 'kcal'],
  nutrients: ['calories', 'kcal', 'energy', 'protein', 'carbs', 'carbohydrates', 'fat', 'macros'],
  foodName: ['name'],
  mealType: ['meal'],
  quantity: ['amount'],
};
/** Names with more different letters are not typing errors. */
const MAX_EDITS = 2;
/** Shorter names have too many neighbours. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 40;
const MAX_SHOWN_LENGTH = 100;

/** Finds the name of `known` that an unknown name probably means; undefined if none is similar, as for `utm_source`. */
export function likelyName(name: string, known: readonly string[]): string | undefined {
  const plain = plainName(name);
  const same = known.find((parameter) => plainName(parameter) === plain);
  if (same !== undefined) return same;
  const alike = known.find((parameter) => ALIKE[parameter]?.includes(plain));
  if (alike !== undefined) return alike;
  if (plain.length < MIN_LENGTH || plain.length > MAX_LENGTH) return undefined;
  const [closest] = known
    .filter((parameter) => parameter.length >= MIN_LENGTH)
    .toSorted((a, b) => editsBetween(plainName(a), plain) - editsBetween(plainName(b), plain));
  return closest !== undefined && editsBetween(plainName(closest), plain) <= MAX_EDITS ? closest : undefined;
}

/** Suggests a parameter for an unknown one, or lists the existing ones. */
export function unknownParameterText(name: string, known: readonly string[]): string {
  const likely = likelyName(name, known);
  if (likely !== undefined) return `There is no parameter "${shortName(name)}". Did you mean "${likely}"?`;
  const others = known.length === 0 ? 'This address takes none.' : `Known here: ${known.join(', ')}.`;
  return `There is no parameter "${shortName(name)}". ${others}`;
}

/** A name as the client wrote it, shortened if it is longer than any existing name. */
export function shortName(name: string): string {
  return name.length > MAX_SHOWN_LENGTH ? `${name.slice(0, MAX_SHOWN_LENGTH)}…` : name;
}

/** `user_id`, `user-id` and `UserId` are equal. */
function plainName(name: string): string {
  return name.replace(/[-_[\]]/g, '').toLowerCase();
}
