import { type Language, languageOf } from '../../language.ts';
import { mealWordsOf } from '../../meal-words.ts';
import type { Token } from '../../tokens.ts';
import type { FoodNames } from '../food-names.ts';
import { stemOf } from '../names/name-words.ts';

/**
 * Splits German compounds of a food and its counted part: "2 Knoblauchzehen" gets the tokens of "2 Zehen
 * Knoblauch", "3 Thymianzweige" those of "3 Zweige Thymian". Compounds that are names themselves are not
 * split.
 */
const PIECES: readonly string[] = [...mealWordsOf('de').pieces];
/** Letters between the parts: "Tomate|n|scheibe", "Zwiebel|scheibe", "Minz|(e)|blatt". */
const JOINTS: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word.replace(/n$/, ''),
  (word) => word.replace(/en$/, ''),
  (word) => word.replace(/s$/, ''),
  (word) => `${word}e`,
];
/** Length of the shortest food name: "Ei". */
const MIN_FOOD = 3;

/** Returns the same array if there is no compound. */
export function divideCompounds(tokens: readonly Token[], names: FoodNames): readonly Token[] {
  if (!tokens.some((token) => token.kind === 'word' && pieceOf(token) !== undefined)) return tokens;
  const german = languageOf('de');
  const divided = tokens.flatMap((token, at) => {
    const parts = isCounted(tokens, at, german) ? divide(token, names) : undefined;
    return parts ?? [token];
  });
  return divided.length === tokens.length ? tokens : divided;
}

function isCounted(tokens: readonly Token[], at: number, { articles, cardinals, sizes }: Language): boolean {
  const before = tokens[at - 1];
  if (before === undefined) return false;
  return before.kind === 'number' || [articles, cardinals, sizes].some((words) => words.has(tokens, at - 1));
}

function pieceOf({ folded }: Token): string | undefined {
  return PIECES.find((piece) => folded.endsWith(piece) && folded.length >= piece.length + MIN_FOOD);
}

function divide(token: Token, names: FoodNames): readonly Token[] | undefined {
  const piece = pieceOf(token);
  if (piece === undefined || names.likenessOf(stemOf(token.folded)) === 1) return undefined;
  const joined = token.folded.slice(0, -piece.length);
  const food = JOINTS.map((joint) => joint(joined)).find(
    (word) => names.likenessOf(stemOf(word)) === 1 && names.isFoodWord(stemOf(word)),
  );
  if (food === undefined) return undefined;
  // Folding keeps the number of letters here, except for "ß".
  const middle = token.end - piece.length;
  const length = middle - token.start;
  return [
    { ...token, folded: piece, text: token.text.slice(length), start: middle, joined: false },
    { ...token, folded: food, text: token.text.slice(0, length), end: middle, joined: false },
  ];
}
