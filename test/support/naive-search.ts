import * as points from '@larder/search/query/ranking-weights.ts';

/** A document as lists of words, for searching without any index. */
export interface NaiveDocument {
  readonly name: readonly string[];
  readonly brand: readonly string[];
  readonly aliases: readonly (readonly string[])[];
  readonly popularity: number;
}

/** Words that match one typed word, with points. */
export interface NaiveSlot {
  readonly weights: ReadonlyMap<string, number>;
  readonly missingCost: number;
}

export interface NaivePlan {
  readonly slots: readonly NaiveSlot[];
  readonly cost: number;
  readonly maxMissingCost: number;
}

export interface NaiveHit {
  readonly document: number;
  readonly score: number;
}

/** Scores every document and takes the best: slow, and a direct implementation of `ranking-weights.ts`. */
export function naiveSearch(documents: readonly NaiveDocument[], plan: NaivePlan, limit: number): NaiveHit[] {
  const hits = documents
    .map((document, index) => ({ document: index, score: naiveScore(document, plan) }))
    .filter((hit): hit is NaiveHit => hit.score !== undefined)
    .sort((a, b) => b.score - a.score || a.document - b.document);
  return naiveCollapse(hits, limit, (document) => ({
    name: documents[document]!.name.join(' '),
    brand: documents[document]!.brand.join(' '),
  }));
}

/** One answer of each name and brand, three of each name; the others at the end. */
export function naiveCollapse(
  sorted: readonly NaiveHit[],
  limit: number,
  identityOf: (document: number) => { readonly name: string; readonly brand: string },
): NaiveHit[] {
  const shown: NaiveHit[] = [];
  const copies: NaiveHit[] = [];
  for (const hit of sorted) {
    const own = identityOf(hit.document);
    const namesakes = shown.filter((other) => identityOf(other.document).name === own.name);
    const hasTwin = namesakes.some((other) => identityOf(other.document).brand === own.brand);
    (hasTwin || namesakes.length >= 3 ? copies : shown).push(hit);
  }
  return [...shown, ...copies].slice(0, limit);
}

function naiveScore(document: NaiveDocument, plan: NaivePlan): number | undefined {
  const words = [...document.name, ...document.brand, ...document.aliases.flat()];
  let score = 0;
  let missing = 0;
  let hasContent = false;
  for (const { weights, missingCost } of plan.slots) {
    const best = Math.max(0, ...words.map((word) => weights.get(word) ?? 0));
    if (best === 0) missing += missingCost;
    else score += best - points.EXACT;
    hasContent ||= best > 0 && missingCost !== points.MISSING_SMALL_WORD;
  }
  if (missing > plan.maxMissingCost || !hasContent) return undefined;
  const sameName = points.SAME_NAME + (document.brand.length === 0 ? points.SAME_GENERIC_NAME : 0);
  const fits = [
    fieldFit(document.name, plan, sameName),
    ...document.aliases.map((alias) => {
      const fit = fieldFit(alias, plan, points.SAME_NAME);
      return fit === undefined ? undefined : Math.max(0, fit - points.ALIAS_COST);
    }),
  ].filter((fit) => fit !== undefined);
  const fit = Math.max(-points.BRAND_ONLY_COST, ...fits);
  const generic = document.brand.length === 0 ? points.GENERIC : 0;
  return (
    score - missing - plan.cost + fit + generic + Math.floor((document.popularity * points.POPULARITY) / 255)
  );
}

function fieldFit(field: readonly string[], plan: NaivePlan, sameName: number): number | undefined {
  const names = new Set<number>();
  const met = field.map((word) => {
    const slot = bestSlot(word, plan, names);
    if (slot !== undefined) names.add(slot);
    return slot;
  });
  const named = names.size;
  if (named === 0) return undefined;
  const asked = plan.slots.length;
  let order = 0;
  for (let at = 1; at < met.length; at++) {
    const [before, here] = [met[at - 1], met[at]];
    if (before === undefined || here === undefined) continue;
    if (here === before + 1) order += points.ADJACENT;
    if (here === before - 1) order += points.ADJACENT_SWAPPED;
  }
  let fit =
    Math.floor((points.COVERAGE * named) / field.length) + Math.min(order, points.ADJACENT * (named - 1));
  if (named === field.length) fit += points.WHOLE_NAME;
  if (met[0] !== undefined) fit += points.FIRST_WORD;
  const isSame =
    field.length === asked &&
    field.every((word, at) => met[at] === at && plan.slots[at]!.weights.get(word) === points.EXACT);
  return isSame && plan.cost === 0 ? fit + sameName : fit;
}

/** The best slot of the word; of equal ones the first not yet named, otherwise the first. */
function bestSlot(word: string, plan: NaivePlan, named: ReadonlySet<number>): number | undefined {
  const weights = plan.slots.map((slot) => slot.weights.get(word) ?? 0);
  const most = Math.max(...weights);
  if (most === 0) return undefined;
  const isBest = (weight: number) => weight === most;
  const unnamed = weights.findIndex((weight, slot) => isBest(weight) && !named.has(slot));
  return unnamed < 0 ? weights.findIndex(isBest) : unnamed;
}
