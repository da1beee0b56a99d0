import { expect, it } from 'vitest';
import { daysOf, periodOf } from './periods.ts';

it('begins weeks on the chosen day', () => {
  // A Friday.
  expect(periodOf('week', '2026-11-27', 1)).toEqual({ from: '2026-11-23', to: '2026-11-29' });
  expect(periodOf('week', '2026-11-27', 0)).toEqual({ from: '2026-11-22', to: '2026-11-28' });
  expect(periodOf('week', '2026-11-29', 1)).toEqual({ from: '2026-11-23', to: '2026-11-29' });
  expect(periodOf('week', '2026-11-28', 6)).toEqual({ from: '2026-11-28', to: '2026-12-04' });
});

it('takes whole months and years', () => {
  expect(periodOf('month', '2028-02-10', 1)).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(periodOf('year', '2026-11-27', 1)).toEqual({ from: '2026-01-01', to: '2026-12-31' });
  expect(daysOf(periodOf('month', '2026-11-27', 1))).toHaveLength(30);
});
