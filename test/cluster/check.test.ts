import { inject, test } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';
import { openRoundRobin } from '../support/round-robin.ts';
import { CHECK_TIMEOUT_MS, expectEveryCheckToPass } from '../support/run-check.ts';
import { startServiceProcess } from '../support/service-process.ts';

test.skipIf(inject('cluster') === undefined)(
  'two nodes behind a load balancer pass every check',
  { timeout: CHECK_TIMEOUT_MS },
  async () => {
    const cluster = await clusterSettings();
    await using first = await startServiceProcess(cluster);
    await using second = await startServiceProcess(cluster, undefined, false);
    await using balancer = await openRoundRobin([first.url, second.url]);
    await expectEveryCheckToPass(balancer.url, first.key);
  },
);
