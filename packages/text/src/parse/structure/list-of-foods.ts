import { findAmounts } from '../../find-amounts.ts';
import type { Token } from '../../tokens.ts';
import { isArticle } from '../phrases/phrase.ts';
import { entriesOf } from './food-list.ts';
import { describesMeal, type TextToRead } from './recipe-line.ts';

/** The list in a text: all of it, or what follows after "I had" or "for lunch" if amounts count its foods. */
export function listOf(read: TextToRead): TextToRead | undefined {
  if (read.isList) return read;
  const { words, language } = read;
  const { listing, carrying, nouns, fillers, links, telling, subjects } = words;
  const isPlain = (folded: string, at: number) =>
    listing.has(folded) || carrying.has(folded) || nouns.has(folded) || language.of.has(read.tokens, at);
  // Words of sentences: "a creamy soup which was served with bread".
  const tells = ({ folded }: Token, at: number) =>
    !isPlain(folded, at) && (fillers.has(folded) || links.has(folded));
  const introduces = (token: Token, at: number) =>
    token.kind === 'symbol' || tells(token, at) || [telling, subjects].some((set) => set.has(token.folded));
  const from = read.tokens.findIndex((token, at) => !introduces(token, at));
  const tokens = read.tokens.slice(Math.max(0, from));
  const amounts = findAmounts(tokens, language);
  if (
    from < 0 ||
    describesMeal(tokens, words, amounts) ||
    read.tokens.some((token, at) => at >= from && tells(token, at))
  )
    return undefined;
  const list = { ...read, tokens, amounts, isList: true };
  const [first] = list.amounts;
  const isCounted = first?.firstToken === 0 && !isArticle(first);
  return isCounted || entriesOf(list).length > 1 ? list : undefined;
}

/** The entries of a list of foods; each is read independently. */
export function partsOf(read: TextToRead): TextToRead[] {
  const entries = entriesOf(read);
  if (entries.length === 1 && entries[0]!.to - entries[0]!.from === read.tokens.length) return [read];
  return entries.map(({ from, to }) => {
    const tokens = read.tokens.slice(from, to);
    return { ...read, tokens, amounts: findAmounts(tokens, read.language) };
  });
}
