import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareEnergies } from './energies.ts';

const DATA = join(import.meta.dirname, '../../../shared/data');

describe.skipIf(!existsSync(DATA))('energies (skipped where ../shared/data is absent)', () => {
  test('each food that differs by more than a third from other tables has a reason', async () => {
    const { compared, undecided, outdated } = await compareEnergies(DATA);
    expect(compared).toBeGreaterThan(800);
    expect(undecided.map(({ key, energy, median }) => `${key}: ${energy}, others ${median}`)).toEqual([]);
    expect(outdated).toEqual([]);
  });
});
