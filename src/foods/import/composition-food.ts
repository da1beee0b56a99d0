import { createHash } from 'node:crypto';
import { languageBit } from '@larder/core/name-languages.ts';
import { NUTRIENTS } from '@larder/core/nutrients.ts';
import type { RawFood } from './normalise/raw-food.ts';

/** National composition tables, as published or as a JSON list with Italian field names. */
export const COMPOSITION_ORIGINS = ['ciqual', 'bls'] as const;
export type CompositionOrigin = (typeof COMPOSITION_ORIGINS)[number];

/** `nome` is in the table's own language (German in BLS, English in Ciqual). */
const OTHER_NAMES = ['nome', 'nome_fr', 'nome_de', 'nome_it', 'nome_es'] as const;

/** One food of the table; undefined if it has no name. */
export function compositionFood(value: unknown, origin: CompositionOrigin): RawFood | undefined {
  const element = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const per100: NonNullable<RawFood['per100']> = {};
  for (const { key, italian } of NUTRIENTS) {
    const amount = italian === undefined ? undefined : element[italian];
    if (typeof amount === 'number') per100[key] = amount;
  }
  const names = ['nome_en', ...OTHER_NAMES].map((field) => ({
    text: text(element[field]),
    language: field === 'nome' ? (origin === 'bls' ? 'de' : 'en') : field.slice('nome_'.length),
  }));
  return toCompositionFood({ origin, code: text(element['food_code']), names, per100 });
}

/** A name of a food, empty if the table has none, and its language. */
export interface CompositionName {
  readonly text: string;
  readonly language: string;
}

/** Makes a food that shows the first name and is found by the others; undefined if there is no name. */
export function toCompositionFood({
  origin,
  code,
  names,
  per100,
}: {
  readonly origin: CompositionOrigin;
  readonly code: string;
  readonly names: readonly CompositionName[];
  readonly per100: NonNullable<RawFood['per100']>;
}): RawFood | undefined {
  const known = names.map((each) => ({ ...each, text: each.text.trim() })).filter((each) => each.text !== '');
  const [name, ...aliases] = known.map((each) => each.text);
  if (name === undefined) return undefined;
  return {
    origin,
    key: code.trim() || keyFromName(name),
    name,
    aliases,
    nameLanguages: known.map(({ language }) => languageBit(language)),
    isGeneric: true,
    basis: 'g',
    per100,
  };
}

const MAX_SLUG_LENGTH = 48;
const HASH_LENGTH = 8;

/** A key for tables without codes: readable, stable across imports, and unique for each name. */
function keyFromName(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH);
  return `${slug}-${createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH)}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
