import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { OperatorError } from './errors.ts';

test('an empty environment gives a working configuration on loopback', () => {
  const config = readConfig({ PATH: '/bin' });
  expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, logLevel: 'info' });
  expect(isAbsolute(config.dataDir)).toBe(true);
  expect(Object.isFrozen(config)).toBe(true);
});

test('an unknown LARDER_ name stops the start, is named, and the likely one is suggested', () => {
  expect(() => readConfig({ LARDER_PROT: '1' })).toThrow(OperatorError);
  expect(() => readConfig({ LARDER_PROT: '1' })).toThrow(
    /LARDER_PROT is not a setting; did you mean LARDER_PORT\?/,
  );
  expect(() => readConfig({ LARDER_COLOUR_OF_THE_BANNER: '1' })).toThrow(/see docs\/configuration.md/);
  expect(() => readConfig({ LARDER_DATA: '/x' })).toThrow(
    /LARDER_DATA is not a setting; did you mean LARDER_DATA_DIR/,
  );
});

test.each([
  ['LARDER_PORT', '70000'],
  ['LARDER_PORT', '80a'],
  ['LARDER_THREADS', '0'],
  ['LARDER_LOG_LEVEL', 'loud'],
  ['LARDER_CORS_ORIGINS', 'https://a.example/,b'],
  ['LARDER_CORS_ORIGINS', 'null'],
  ['LARDER_OIDC_ISSUER', 'http://example.org'],
  ['LARDER_TRUSTED_PROXIES', '10.0.0.0/33'],
  ['LARDER_TRUSTED_PROXIES', '10.0.0.1,proxy'],
  ['LARDER_OFF_EXPORT_URL', 'ftp://example.org/x'],
])('%s=%s stops the start with a message that names both', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name}="${value}" must be`);
});

test('every mistake is reported at once', () => {
  expect(() => readConfig({ LARDER_PORT: '-1', LARDER_NOPE: '1' })).toThrow(/LARDER_NOPE[\s\S]*LARDER_PORT/);
});

test('an empty value means the default', () => {
  expect(readConfig({ LARDER_PORT: '' }).port).toBe(8080);
});
