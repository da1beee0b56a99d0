import { describe, expect, test } from 'vitest';
import { preferredEncoding, prefersHtml } from './accept-headers.ts';

describe('prefersHtml', () => {
  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['text/html'],
    ['TEXT/HTML;Q=1.0'],
    ['text/html;charset=utf-8;q=0.1'],
    ['text/html, application/json'],
    ['text/html, */*'],
    ['text/*, */*;q=0.1'],
    ['application/json;q=0.5 , text/html;q=0.501'],
    ['application/json;q=0, */*'],
    [', text/html,'],
  ])('is true for "%s"', (accept) => {
    expect(prefersHtml(accept)).toBe(true);
  });

  test.each([
    [undefined],
    [''],
    ['*/*'],
    ['application/json'],
    ['application/json, text/html'],
    ['application/json, text/html;q=0.1'],
    ['text/html;q=0, application/json'],
    ['text/html;q=0'],
    ['text/html;q=0.000, */*;q=0'],
    ['text/html;q=0.5, */*'],
    ['image/png'],
  ])('is false for "%s"', (accept) => {
    expect(prefersHtml(accept)).toBe(false);
  });

  test.each([
    ['text/html;q=2'],
    ['text/html;q=-1'],
    ['text/html;q=1.0000'],
    ['text/html;q=much'],
    ['text/html;q='],
    ['text/html;q'],
    ['text/html, a b'],
    ['text/html, ;q=1'],
    ['text/html/x, text/html'],
  ])('ignores the invalid header "%s"', (accept) => {
    expect(prefersHtml(accept)).toBe(false);
  });

  test('reads a header of the maximum length in time', () => {
    const startedAt = performance.now();
    for (const part of ['a,', 'a;', ';q=', ' ', '"\\"', 'q ']) prefersHtml(part.repeat(16_384 / part.length));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe('preferredEncoding', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=0.8, br;q=0.5', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['br;q=0.001', 'br'],
    ['identity, br', 'br'],
    ['identity, br;q=0.9', 'identity'],
    ['br;q=0', 'identity'],
    ['br; q=0', 'identity'],
    ['br ; q = 0', 'identity'],
    ['br;q=0.0, gzip;q=0.000', 'identity'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['zstd', 'identity'],
    ['br;q=x', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
  ])('of "%s" is %s', (accepted, encoding) => {
    expect(preferredEncoding(accepted, ['br', 'gzip'])).toBe(encoding);
  });

  test('is one of the available encodings', () => {
    expect(preferredEncoding('br, gzip;q=0.1', ['gzip'])).toBe('gzip');
    expect(preferredEncoding('br, gzip', [])).toBe('identity');
  });
});
