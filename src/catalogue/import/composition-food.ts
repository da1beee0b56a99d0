import { createHash } from 'node:crypto';
import type { RawFood } from './normalise/raw-food.ts';

/** National composition tables available as a JSON list with Italian field names. */
export const COMPOSITION_ORIGINS = ['ciqual', 'bls'] as const;
export type CompositionOrigin = (typeof COMPOSITION_ORIGINS)[number];

/** `nome` is in the table's own language (German in BLS, English in Ciqual). */
const OTHER_NAMES = ['nome', 'nome_fr', 'nome_de', 'nome_it', 'nome_es'] as const;

/** All per 100 g. Carbohydrates are the available ones, as on European labels: without fibre. */
const NUTRIENTS = {
  energy: 'calorie',
  protein: 'proteine',
  fat: 'grassi',
  carbohydrates: 'carboidrati_disponibili',
  fiber: 'fibre',
} as const;

/** One food of the table; undefined if it has no name. */
export function compositionFood(value: unknown, origin: CompositionOrigin): RawFood | undefined {
  const element = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const name = text(element['nome_en']) || text(element['nome']);
  if (name === '') return undefined;
  const per100: NonNullable<RawFood['per100']> = {};
  for (const [key, field] of Object.entries(NUTRIENTS) as [keyof typeof NUTRIENTS, string][]) {
    const amount = element[field];
    if (typeof amount === 'number') per100[key] = amount;
  }
  return {
    origin,
    key: text(element['food_code']) || keyFromName(name),
    name,
    aliases: OTHER_NAMES.map((field) => text(element[field])).filter((alias) => alias !== ''),
    isGeneric: true,
    basis: 'g',
    per100,
  };
}

const MAX_SLUG_LENGTH = 48;
const HASH_LENGTH = 8;

/** For tables without codes: readable, stable across imports, and unique for each name. */
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
