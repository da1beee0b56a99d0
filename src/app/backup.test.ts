import { OperatorError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { backUp, restore } from './backup.ts';

test("the database of a cluster is not backed up or restored as a file: the error names PostgreSQL's tools", async () => {
  const config = readConfig({
    LARDER_DATABASE_URL: 'postgres://db/larder',
    LARDER_REDIS_URL: 'redis://cache',
    LARDER_S3_ENDPOINT: 'http://s3',
    LARDER_S3_BUCKET: 'larder',
    LARDER_S3_ACCESS_KEY_ID: 'id',
    LARDER_S3_SECRET_ACCESS_KEY: 'secret',
  });
  for (const attempt of [backUp(config, 'copy.db'), restore(config, 'copy.db')]) {
    await expect(attempt).rejects.toThrow(OperatorError);
    await expect(attempt).rejects.toThrow('pg_dump');
  }
});
