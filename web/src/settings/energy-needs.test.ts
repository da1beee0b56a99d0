import { expect, it } from 'vitest';
import { proposalOf, restingEnergy } from './energy-needs.ts';

it('computes the energy at rest as Mifflin and St Jeor do', () => {
  expect(restingEnergy({ sex: 'male', heightCm: 180 }, 80, 40)).toBe(800 + 1125 - 200 + 5);
  expect(restingEnergy({ sex: 'female', heightCm: 165 }, 60, 30)).toBe(600 + 1031.25 - 150 - 161);
});

it('proposes energy by activity and aim', () => {
  const body = { sex: 'male', birthYear: 1986, heightCm: 180, activity: 'moderate' } as const;
  const same = proposalOf(body, 80, 'same', 2026);
  expect(same.needKcal).toBeCloseTo(1730 * 1.55, 10);
  expect(same.goalKcal).toBe(2680);
  expect(proposalOf(body, 80, 'less', 2026).goalKcal).toBe(2280);
  expect(proposalOf(body, 80, 'more', 2026).goalKcal).toBe(2950);
});
