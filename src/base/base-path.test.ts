import { describe, expect, test } from 'vitest';
import { parseBasePath, withoutBasePath } from './base-path.ts';

describe('parseBasePath', () => {
  test.each([
    ['/larder', '/larder'],
    ['/larder/', '/larder'],
    ['/home/larder-2.0_x~', '/home/larder-2.0_x~'],
    ['/', ''],
  ])('reads %j', (text, path) => {
    expect(parseBasePath(text)).toBe(path);
  });

  test.each([
    '',
    'larder',
    '//',
    '//evil.example',
    '/a//b',
    '/a/../b',
    '/./a',
    '/..',
    '/a b',
    '/a%2Fb',
    '/a"><script>',
    "/a'",
    '/a?b',
    '/a#b',
    '/a\r\nx: y',
    '/a\n',
    '/é',
    `/${'a'.repeat(200)}`,
  ])('rejects %j', (text) => {
    expect(parseBasePath(text)).toBeUndefined();
  });
});

test.each([
  ['/larder/v1/foods?q=a', '/v1/foods?q=a'],
  ['/larder', '/'],
  ['/larder/', '/'],
  ['/larder?x=1', '/?x=1'],
  ['/larders', undefined],
  ['/v1/foods', undefined],
  ['/v1/larder/foods', undefined],
])('%s under /larder is %s', (url, path) => {
  expect(withoutBasePath(url, '/larder')).toBe(path);
});

test('without a base path no URL is under it', () => {
  expect(withoutBasePath('/v1/foods', '')).toBeUndefined();
});
