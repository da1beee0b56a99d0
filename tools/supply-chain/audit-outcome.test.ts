import { expect, test } from 'vitest';
import { readAudit } from './audit-outcome.ts';

test('an answer without vulnerabilities is clean', () => {
  expect(readAudit('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({ kind: 'clean' });
});

test('each vulnerable package is reported with its vulnerable versions and the severity', () => {
  const vulnerabilities = {
    left: { severity: 'high', range: '<1.2.3' },
    right: { severity: 'low', range: '*' },
  };
  expect(readAudit(JSON.stringify({ vulnerabilities }))).toEqual({
    kind: 'found',
    found: ['left <1.2.3: high', 'right *: low'],
  });
});

test.each([
  [
    '{"message":"405 Method Not Allowed","statusCode":405,"error":{"summary":"","detail":""}}',
    '405 Method Not Allowed',
  ],
  ['{"error":{"code":"ENOTFOUND","summary":"request failed"}}', 'request failed'],
  ['', 'npm gave no answer'],
  ['<html>', 'npm gave no answer'],
  ['{}', 'npm gave no answer'],
])('%s is never considered clean', (output, reason) => {
  expect(readAudit(output)).toEqual({ kind: 'unanswered', reason });
});
