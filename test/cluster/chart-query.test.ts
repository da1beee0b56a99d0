import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';

const TEMPLATE = join(import.meta.dirname, '../../deploy/helm/larder/templates/worker-scaling.yaml');

test.skipIf(inject('cluster') === undefined)(
  'the query by which the chart scales workers works on the tables',
  async () => {
    const query = /^ +query: (.+)$/m.exec(readFileSync(TEMPLATE, 'utf8'))![1]!;
    const client = new Client((await clusterSettings())['LARDER_DATABASE_URL']);
    await client.connect();
    try {
      expect((await client.query(query)).rows).toEqual([{ count: '0' }]);
    } finally {
      await client.end();
    }
  },
);
