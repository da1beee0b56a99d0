import { checkDigit, expandUpcE } from '@larder/core/gtin.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ean8Bars, ean13Bars, upcEBars } from '../../../../test/support/barcode-bars.ts';
import { runs } from '../../../../test/support/runs.ts';
import { ProfileReader } from './profile-reader.ts';
import { SYMBOLS } from './symbols.ts';

const QUIET = 9;
const reader = new ProfileReader();
const withCheck = (body: string) => body + checkDigit(body);
const symbolOf = (format: string) => SYMBOLS.find((symbol) => symbol.format === format)!;

/** Brightness of bars through a box filter of `blurModules`, `modulePx` samples a module. */
function lineOf(bars: string, modulePx: number, blurModules: number): Float32Array {
  const all = '0'.repeat(QUIET) + bars + '0'.repeat(QUIET);
  const parts = 16;
  return Float32Array.from({ length: Math.round(all.length * modulePx) }, (_, i) => {
    let dark = 0;
    for (let part = 0; part < parts; part++) {
      const aside = ((part + 0.5) / parts - 0.5) * blurModules;
      dark += all[Math.floor((i + 0.5) / modulePx + aside)] === '1' ? 1 : 0;
    }
    return 210 - (170 * dark) / parts;
  });
}

test('bars are read through blur wider than a module, at two samples a module, a module off their position', () => {
  const numbers = fc.oneof(
    fc
      .stringMatching(/^\d{12}$/)
      .map(withCheck)
      .map((code) => ({ format: 'EAN13', bars: ean13Bars(code), digits: code })),
    fc
      .stringMatching(/^\d{7}$/)
      .map(withCheck)
      .map((code) => ({ format: 'EAN8', bars: ean8Bars(code), digits: code })),
    fc.stringMatching(/^0\d{6}$/).map((code) => {
      const upcA = expandUpcE(code)!;
      return { format: 'UPCE', bars: upcEBars(code + upcA.at(-1)), digits: `0${upcA}` };
    }),
  );
  const shifts = fc.double({ min: -1, max: 1, noNaN: true });
  const blurs = fc.double({ min: 0.2, max: 1.4, noNaN: true });
  fc.assert(
    fc.property(numbers, blurs, shifts, shifts, ({ format, bars, digits }, blur, atStart, atEnd) => {
      const modulePx = 2;
      const line = lineOf(bars, modulePx, blur);
      const from = (QUIET + atStart) * modulePx;
      const to = (QUIET + bars.length + atEnd) * modulePx;
      const reading = reader.read(line, from, to, symbolOf(format));
      expect(reading).toMatchObject({ format, digits });
      expect(reading!.fit).toBeGreaterThan(0.75);
    }),
    { numRuns: runs(60) },
  );
});

test('the left half of an EAN-13 is not read as a UPC-E', () => {
  const modulePx = 2;
  fc.assert(
    fc.property(fc.stringMatching(/^\d{12}$/).map(withCheck), (code) => {
      const line = lineOf(ean13Bars(code), modulePx, 0.6);
      // A UPC-E has 51 modules.
      const to = (QUIET + 51) * modulePx;
      expect(reader.read(line, QUIET * modulePx, to, symbolOf('UPCE'))).toBeUndefined();
    }),
    { numRuns: runs(60) },
  );
});

test('a line without contrast, and one that is too short, yield no reading', () => {
  for (const symbol of SYMBOLS) {
    expect(reader.read(new Float32Array(300).fill(80), 20, 280, symbol)).toBeUndefined();
    expect(reader.read(Float32Array.of(0, 255), 0, 2, symbol)?.fit ?? 0).toBeLessThan(0.75);
  }
});
