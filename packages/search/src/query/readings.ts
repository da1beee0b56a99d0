import { kindsOf, MAX_PHRASE_WORDS, SMALL_WORDS, sameFoods } from '@larder/core/words/related-words.ts';
import { MAX_READINGS } from './query-limits.ts';
import { OTHER_WORDS_COST, REWRITE_COST, WIDER_COST } from './ranking-weights.ts';
import type { SlotMaker } from './slot-maker.ts';

/** Another interpretation of a query. */
export interface Reading {
  readonly name: string;
  readonly tokens: readonly string[];
  /** Whether the last word may be an unfinished longer one. */
  readonly mayContinue: boolean;
  readonly cost: number;
}

/** Minimum letters of a joined word: "ice cream" is "icecream", "a b" is not "ab". */
const MIN_JOINED_LENGTH = 5;
const MIN_SPLIT_PART = 3;

/** Interpretations so close to the typed text that they always run. */
export function closeReadings(tokens: readonly string[], words: SlotMaker): Reading[] {
  return [
    ...withoutSmallWords(tokens),
    ...joined(tokens, words),
    ...inOtherWords(tokens, words, sameFoods, OTHER_WORDS_COST),
  ].slice(0, MAX_READINGS);
}

/** Words split in two: "coca cola" for "cocacola". */
export function splitReadings(tokens: readonly string[], words: SlotMaker): Reading[] {
  return split(tokens, words).slice(0, MAX_READINGS);
}

/** Varieties and brands replaced by their kind: "cola soft drink" for "pepsi". */
export function widerReadings(tokens: readonly string[], words: SlotMaker): Reading[] {
  return inOtherWords(tokens, words, kindsOf, WIDER_COST).slice(0, MAX_READINGS);
}

function withoutSmallWords(tokens: readonly string[]): Reading[] {
  const kept: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (index === tokens.length - 1 || !SMALL_WORDS.has(token)) kept.push(token);
  }
  if (kept.length === tokens.length || kept.length === 0) return [];
  return [{ name: 'without small words', tokens: kept, mayContinue: true, cost: REWRITE_COST }];
}

function joined(tokens: readonly string[], words: SlotMaker): Reading[] {
  const readings: Reading[] = [];
  for (let at = 0; at + 1 < tokens.length; at++) {
    const word = tokens[at]! + tokens[at + 1]!;
    if (word.length < MIN_JOINED_LENGTH || words.documentsWith(word) === 0) continue;
    readings.push({
      name: `joined "${word}"`,
      tokens: tokens.toSpliced(at, 2, word),
      mayContinue: true,
      cost: REWRITE_COST,
    });
  }
  return readings;
}

/** Splits each word where the rarer half is as frequent as possible. */
function split(tokens: readonly string[], words: SlotMaker): Reading[] {
  const readings: Reading[] = [];
  for (const [at, token] of tokens.entries()) {
    let most = words.documentsWith(token);
    let parts: [string, string] | undefined;
    for (let cut = MIN_SPLIT_PART; cut + MIN_SPLIT_PART <= token.length; cut++) {
      const pair: [string, string] = [token.slice(0, cut), token.slice(cut)];
      const documents = Math.min(words.documentsWith(pair[0]), words.documentsWith(pair[1]));
      if (documents <= most) continue;
      most = documents;
      parts = pair;
    }
    if (parts === undefined) continue;
    readings.push({
      name: `split "${parts.join(' ')}"`,
      tokens: tokens.toSpliced(at, 1, ...parts),
      mayContinue: true,
      cost: REWRITE_COST,
    });
  }
  return readings;
}

function inOtherWords(
  tokens: readonly string[],
  words: SlotMaker,
  othersFor: (phrase: string) => readonly string[],
  cost: number,
): Reading[] {
  const readings: Reading[] = [];
  for (let length = Math.min(MAX_PHRASE_WORDS, tokens.length); length > 0; length--) {
    for (let at = 0; at + length <= tokens.length; at++) {
      const phrase = tokens.slice(at, at + length).join(' ');
      for (const other of othersFor(phrase)) {
        const replacement = other.split(' ');
        // Every slot already includes single-word synonyms.
        if (othersFor === sameFoods && length === 1 && replacement.length === 1) continue;
        if (!replacement.every((word) => words.documentsWith(word) > 0)) continue;
        readings.push({
          name: `"${other}" for "${phrase}"`,
          tokens: tokens.toSpliced(at, length, ...replacement),
          mayContinue: at + length < tokens.length,
          cost,
        });
      }
    }
  }
  return readings;
}
