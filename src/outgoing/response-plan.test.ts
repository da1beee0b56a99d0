import { describe, expect, test } from 'vitest';
import { planFor, rangeHeaders } from './response-plan.ts';

const ORIGIN = { url: 'http://a/b', validator: '"v1"', totalBytes: 100 };
const PART = { sizeBytes: 40, origin: ORIGIN };

describe('planned requests', () => {
  test('the rest, if the file is unchanged', () => {
    expect(rangeHeaders(PART)).toEqual({ range: 'bytes=40-', 'if-range': '"v1"' });
  });
  test('everything, if nothing shows whether the file is unchanged', () => {
    expect(rangeHeaders({ sizeBytes: 40, origin: { url: 'http://a/b' } })).toEqual({});
    expect(rangeHeaders({ sizeBytes: 0, origin: ORIGIN })).toEqual({});
  });
});

describe('planned handling of responses', () => {
  test.each([
    ['the asked part', 206, { 'content-range': 'bytes 40-99/100', etag: '"v1"' }, 'append'],
    ['a part without a validator', 206, { 'content-range': 'bytes 40-99/100' }, 'append'],
    ['a part that begins elsewhere', 206, { 'content-range': 'bytes 0-99/100' }, 'discard'],
    ['a part that ends early', 206, { 'content-range': 'bytes 40-59/100' }, 'discard'],
    ['a part of a longer file', 206, { 'content-range': 'bytes 40-199/200' }, 'discard'],
    ['a part of another version', 206, { 'content-range': 'bytes 40-99/100', etag: '"v2"' }, 'discard'],
    ['a part that does not say which', 206, {}, 'discard'],
    ['the whole file', 200, { 'content-length': '100', etag: '"v2"' }, 'start'],
    ['a web page', 200, { 'content-type': 'text/html; charset=utf-8' }, 'refuse'],
    ['nothing after the part', 416, { 'content-range': 'bytes */40' }, 'complete'],
    ['a shorter file than the part', 416, { 'content-range': 'bytes */30' }, 'discard'],
    ['an unexplained 416', 416, {}, 'discard'],
    ['not found', 404, {}, 'refuse'],
    ['not modified, which was not asked', 304, {}, 'refuse'],
    ['too many requests', 429, { 'retry-after': '7' }, 'retry'],
    ['a broken server', 502, {}, 'retry'],
  ])('%s', (_, status, headers, kind) => {
    expect(planFor(PART, { status, headers }).kind).toBe(kind);
  });

  test('a server without ranges is not called twice for an existing file', () => {
    const whole = { sizeBytes: 100, origin: ORIGIN };
    const headers = { 'content-length': '100', etag: '"v1"' };
    expect(planFor(whole, { status: 200, headers }).kind).toBe('complete');
  });

  test('a weak ETag does not guarantee equal bytes; the date is used instead', () => {
    const headers = { etag: 'W/"v1"', 'last-modified': 'Thu, 24 Apr 2025 10:00:00 GMT' };
    expect(planFor(PART, { status: 200, headers })).toEqual({
      kind: 'start',
      validator: 'Thu, 24 Apr 2025 10:00:00 GMT',
    });
  });
});
