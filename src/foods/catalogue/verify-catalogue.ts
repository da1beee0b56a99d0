import type { FoodId } from '@larder/core/food.ts';
import type { Catalogue } from './catalogue.ts';
import type { StoredRecord } from './food-record.ts';

export interface Verification {
  readonly records: number;
  readonly faults: number;
  /** The problem of the first invalid record. */
  readonly example?: string;
}

/**
 * Checks what checksums cannot: that each record is readable, that its ids lead to it, and that its GTIN leads to a
 * record with that GTIN.
 */
export function verifyCatalogue(catalogue: Catalogue): Verification {
  let records = 0;
  let faults = 0;
  let example: string | undefined;
  for (const record of catalogue.records()) {
    records++;
    const fault = faultOf(catalogue, record);
    if (fault === undefined) continue;
    faults++;
    example ??= fault;
  }
  return example === undefined ? { records, faults } : { records, faults, example };
}

function faultOf(catalogue: Catalogue, record: StoredRecord): string | undefined {
  const { id, gtin } = 'food' in record ? record.food : record.known;
  if ('food' in record) {
    const lost = [id, ...record.otherIds].find((one: FoodId) => catalogue.findById(one)?.id !== id);
    if (lost !== undefined) return `${lost} does not lead to ${id}`;
  }
  if (gtin !== undefined && catalogue.findByGtin(gtin)?.gtin !== gtin)
    return `${gtin} does not lead to ${id}`;
  return undefined;
}
