import type { CatalogueRecord, FoodRecord, Violation } from '../history-record.ts';

/**
 * Checks that each response is the requested food from a catalogue that could be in use then: until the last
 * node has switched, either of the two.
 */
export function checkFoods(
  foods: readonly FoodRecord[],
  catalogues: readonly CatalogueRecord[],
): Violation[] {
  const inTurn = catalogues.toSorted((a, b) => a.startMs - b.startMs);
  return foods
    .filter(({ status }) => status === 200)
    .flatMap((record) => {
      const { product, found, generation } = record;
      if (found !== product) return [toViolation(`${found} was found for ${product}`, record)];
      const possible = inTurn.filter(({ startMs }, at) => {
        const replacedMs = inTurn[at + 1]?.endMs ?? Number.POSITIVE_INFINITY;
        return startMs <= record.endMs && record.startMs <= replacedMs;
      });
      if (possible.some((catalogue) => catalogue.generation === generation)) return [];
      const names = possible.map((catalogue) => catalogue.generation).join(' or ');
      return [toViolation(`${product} came from ${generation}, not from ${names}`, record)];
    });
}

function toViolation(message: string, record: FoodRecord): Violation {
  return { rule: 'wrong answer', message, records: [record] };
}
