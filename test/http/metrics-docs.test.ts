import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { openTestService } from '../support/test-service.ts';

it('docs/operating.md lists every metric that is served, and no other', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(larder_\w+)` \|.*\| (in a cluster: )?/gm)];
  await using service = await openTestService();
  const answer = await fetch(`${service.url}/metrics`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  const served = [...(await answer.text()).matchAll(/^# TYPE (larder_\w+)/gm)].map(([, name]) => name!);
  const isCluster = inject('cluster') !== undefined;
  const listed = rows.filter(([, , inCluster]) => isCluster || !inCluster).map(([, name]) => name!);
  expect(served.toSorted()).toEqual(listed.toSorted());
});

it('alerts name metrics that exist', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  const rows = new Set([...page.matchAll(/^\| `(larder_\w+)` \|/gm)].map(([, name]) => name!));
  const [, alerts] = /\n## Alerts\n([\s\S]+?)\n## /.exec(page)!;
  const named = [...alerts!.matchAll(/larder_\w+/g)].map(([name]) =>
    name.replace(/_(count|bucket|sum)$/, ''),
  );
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(rows, name).toContain(name);
});
