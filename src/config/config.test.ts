import { isAbsolute } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const CLUSTER = {
  LARDER_DATABASE_URL: 'postgres://larder:s3cret@db/larder',
  LARDER_S3_ENDPOINT: 'https://s3.example',
  LARDER_S3_BUCKET: 'larder',
  LARDER_S3_ACCESS_KEY_ID: 'id',
  LARDER_S3_SECRET_ACCESS_KEY: 's3cret',
  LARDER_REDIS_URL: 'redis://:s3cret@cache:6379',
};

test('an empty environment gives a working configuration on loopback', () => {
  const config = readConfig({ PATH: '/bin' });
  expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, logLevel: 'info' });
  expect(isAbsolute(config.dataDir)).toBe(true);
  expect(Object.isFrozen(config)).toBe(true);
});

test('an unknown LARDER_ name prevents the start, and the error suggests the likely one', () => {
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
])('%s=%s prevents the start, and the error names both', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name}="${value}" must be`);
});

test('all mistakes are reported at once', () => {
  expect(() => readConfig({ LARDER_PORT: '-1', LARDER_NOPE: '1' })).toThrow(/LARDER_NOPE[\s\S]*LARDER_PORT/);
});

test('an empty value means the default', () => {
  expect(readConfig({ LARDER_PORT: '' }).port).toBe(8080);
});

test('all required cluster settings make a cluster, and secrets are kept separately', () => {
  const config = readConfig(CLUSTER);
  expect(config).toMatchObject({
    mode: 'cluster',
    database: {
      connections: 20,
      waitTimeoutMs: 5_000,
      statementTimeoutMs: 10_000,
      migrationTimeoutMs: 1_800_000,
    },
    s3: { bucket: 'larder', region: 'us-east-1', addressing: 'path' },
    secrets: { databaseUrl: CLUSTER.LARDER_DATABASE_URL },
  });
  expect(JSON.stringify({ ...config, secrets: undefined })).not.toContain('s3cret');
  expect(readConfig({}).mode).toBe('embedded');
});

test.each(Object.keys(CLUSTER))('a cluster without %s is refused, and the error names it', (name) => {
  const half = () => readConfig({ ...CLUSTER, [name]: '' });
  expect(half).toThrow(new RegExp(`makes this a node of a cluster, which needs ${name} as well$`));
});

test('all missing settings are named at once', () => {
  const alone = () => readConfig({ LARDER_REDIS_URL: 'redis://cache' });
  expect(alone).toThrow(
    'LARDER_REDIS_URL makes this a node of a cluster, which needs LARDER_DATABASE_URL, LARDER_S3_SECRET_ACCESS_KEY, ' +
      'LARDER_S3_ENDPOINT, LARDER_S3_BUCKET, LARDER_S3_ACCESS_KEY_ID as well',
  );
});

test('an incomplete vision model is rejected; settings without its URL are ignored and reported', () => {
  const half = () => readConfig({ LARDER_VISION_MODEL: 'eye-1' });
  expect(half).toThrow('LARDER_VISION_MODEL asks a vision model, which needs LARDER_VISION_URL as well');
  expect(readConfig({ LARDER_VISION_KEY: 'k', LARDER_OIDC_AUDIENCE: 'larder' })).toMatchObject({
    vision: undefined,
    oidc: undefined,
    ignored: [
      { settings: ['LARDER_OIDC_AUDIENCE'], missing: 'LARDER_OIDC_ISSUER' },
      { settings: ['LARDER_VISION_KEY'], missing: 'LARDER_VISION_URL' },
    ],
  });
});

test.each([
  ['LARDER_DATABASE_URL', 'mysql://larder:s3cret@db/larder'],
  ['LARDER_REDIS_URL', 's3cret'],
])('%s is refused without showing its value', (name, value) => {
  expect(() => readConfig({ ...CLUSTER, [name]: value })).toThrow(`${name} must be an address`);
  expect(() => readConfig({ ...CLUSTER, [name]: value })).not.toThrow('s3cret');
});

test('nodes listen at the database’s address unless another one is given', () => {
  const listenUrl = 'postgres://larder:s3cret@db-itself/larder';
  expect(readConfig(CLUSTER)).toMatchObject({ secrets: { databaseListenUrl: CLUSTER.LARDER_DATABASE_URL } });
  expect(readConfig({ ...CLUSTER, LARDER_DATABASE_LISTEN_URL: listenUrl })).toMatchObject({
    secrets: { databaseUrl: CLUSTER.LARDER_DATABASE_URL, databaseListenUrl: listenUrl },
  });
});

test('a database may be reached by a socket', () => {
  const url = 'postgres://postgres@/larder?host=%2Ftmp';
  expect(readConfig({ ...CLUSTER, LARDER_DATABASE_URL: url })).toMatchObject({
    secrets: { databaseUrl: url },
  });
});
