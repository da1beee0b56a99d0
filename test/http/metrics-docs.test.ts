import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { readDocumentedMetrics } from '../support/documented-metrics.ts';
import { openTestService } from '../support/test-service.ts';

const ROOT = join(import.meta.dirname, '../..');
const RULES = 'deploy/prometheus/larder-rules.yml';

const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
const metrics = readDocumentedMetrics();
const isCluster = inject('cluster') !== undefined;

/** Each current metric of the service, with its type. */
let served: Map<string, string>;
beforeAll(async () => {
  await using service = await openTestService();
  const answer = await fetch(`${service.url}/metrics`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  const types = (await answer.text()).matchAll(/^# TYPE (larder_\w+) (\w+)$/gm);
  served = new Map(Array.from(types, ([, name, type]) => [name!, type!]));
});

it('docs/operating.md lists exactly the metrics that are served', () => {
  const listed = metrics.filter(({ clusterOnly }) => isCluster || !clusterOnly).map(({ name }) => name);
  expect([...served.keys()].toSorted()).toEqual(listed.toSorted());
});

describe('the alerting rules', () => {
  const { groups } = parse(readFileSync(join(ROOT, RULES), 'utf8'));
  const rules: Record<string, string>[] = groups.flatMap(({ rules }: { rules: unknown[] }) => rules);

  it('are a Prometheus group that docs/operating.md documents', () => {
    expect(page).toContain(`../${RULES}`);
    expect(groups).toEqual([{ name: 'larder', rules: expect.any(Array) }]);
    expect(rules.length).toBeGreaterThan(10);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it.each(rules)('$alert has the fields of a rule and series that the service exports', (rule) => {
    const { for: lasting, ...fields } = rule;
    expect(lasting ?? '0s').toMatch(/^\d+[smhd]$/);
    expect(fields).toEqual({
      alert: expect.stringMatching(/^Larder[A-Za-z]+$/),
      expr: expect.any(String),
      labels: { severity: expect.stringMatching(/^(critical|warning|info)$/) },
      annotations: { summary: expect.any(String) },
    });
    const selectors = [...fields['expr']!.matchAll(/\b(up|larder_\w+)(?:\{(\w+)=)?/g)];
    expect(selectors).not.toEqual([]);
    for (const [, series, label] of selectors.filter(([, name]) => name !== 'up')) {
      const name = series!.replace(/_(count|bucket|sum)$/, '');
      const metric = metrics.find((each) => each.name === name);
      expect(metric, name).toBeDefined();
      if (label !== undefined) expect(metric!.labels).toContain(label);
      if (metric!.clusterOnly && !isCluster) continue;
      expect(served.get(name), name).toBeDefined();
      expect(name !== series).toBe(served.get(name) === 'histogram');
    }
  });
});
