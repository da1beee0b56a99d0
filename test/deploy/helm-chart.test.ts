import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SERVICE, SETTINGS } from '../../src/config/settings.ts';
import { ChartRenderer } from '../support/chart-renderer.ts';

const CHART = join(import.meta.dirname, '../../deploy/helm/larder');
const read = (...path: string[]) => readFileSync(join(CHART, ...path), 'utf8');
const chart = parse(read('Chart.yaml'));
const defaults = parse(read('values.yaml'));
const isAllowed = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(read('values.schema.json')));
const TEMPLATES = readdirSync(join(CHART, 'templates'));

// biome-ignore lint/suspicious/noExplicitAny: manifests have shapes of Kubernetes' own
type Manifest = any;

function render(change: object = {}): Manifest[] {
  const values = merge(defaults, change);
  expect(isAllowed(values), JSON.stringify(isAllowed.errors)).toBe(true);
  const renderer = new ChartRenderer({
    files: Object.fromEntries(TEMPLATES.map((name) => [`templates/${name}`, read('templates', name)])),
    root: {
      Values: values,
      Chart: { Name: chart.name, AppVersion: chart.appVersion },
      Release: { Name: 'food', Service: 'Helm' },
      Template: { BasePath: 'templates' },
    },
  });
  return TEMPLATES.filter((name) => name.endsWith('.yaml')).flatMap((name) =>
    parseAllDocuments(renderer.render(`templates/${name}`), { strict: true }).flatMap((document) => {
      expect(document.errors, name).toEqual([]);
      return document.contents === null ? [] : [document.toJS()];
    }),
  );
}

function merge(values: Manifest, change: Manifest): Manifest {
  const isTree = (value: unknown) => value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isTree(values) || !isTree(change)) return change;
  const changed = Object.entries(change).map(([name, value]) => [name, merge(values[name], value)]);
  return { ...values, ...Object.fromEntries(changed) };
}

const EVERYTHING = {
  imagePullSecrets: [{ name: 'registry' }],
  data: { existingClaim: 'catalogues' },
  api: { nodeSelector: { disk: 'fast' }, tolerations: [{ key: 'food', operator: 'Exists' }] },
  worker: { autoscaling: { kind: 'keda' }, nodeSelector: { cpu: 'many' }, tolerations: [{ key: 'food' }] },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls', annotations: { 'example.org/x': '1' } },
  networkPolicy: { enabled: true, from: [{ podSelector: {} }] },
};
const kindsOf = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind).toSorted();
const podsOf = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template);

test('the schema accepts exactly the values of the chart', () => {
  expect(isAllowed(defaults)).toBe(true);
  expect(isAllowed({ ...defaults, replicas: 3 })).toBe(false);
  expect(isAllowed(merge(defaults, { settings: { PORT: '80' } }))).toBe(false);
  expect(isAllowed(merge(defaults, { worker: { autoscaling: { kind: 'cron' } } }))).toBe(false);
});

test('no proxy is trusted by default', () => {
  const trusted = (change: object) =>
    render(change).find(({ kind }) => kind === 'ConfigMap')!.data.LARDER_TRUSTED_PROXIES;
  expect(trusted({})).toBeUndefined();
  expect(trusted({ settings: { LARDER_TRUSTED_PROXIES: '10.1.2.0/24' } })).toBe('10.1.2.0/24');
});

test('large numbers are written in a form that the program reads', () => {
  const settings = { LARDER_STORED_IMAGES_MB_PER_TENANT: 1_000_000, LARDER_SCAN_TIMEOUT_MS: '30000' };
  const { data } = render({ settings }).find(({ kind }) => kind === 'ConfigMap')!;
  expect(data).toMatchObject({
    LARDER_STORED_IMAGES_MB_PER_TENANT: '1000000',
    LARDER_SCAN_TIMEOUT_MS: '30000',
  });
});

test('each way to scale workers creates its own object without a fixed number', () => {
  const always = [
    'ConfigMap',
    'Deployment',
    'Deployment',
    'PodDisruptionBudget',
    'PodDisruptionBudget',
    'Service',
  ];
  for (const [kind, scaler] of [
    ['none', []],
    ['external', ['HorizontalPodAutoscaler']],
    ['keda', ['ScaledObject']],
  ] as const) {
    const manifests = render({ worker: { autoscaling: { kind } } });
    expect(kindsOf(manifests)).toEqual([...always, ...scaler].toSorted());
    const worker = manifests.find(({ metadata }) => metadata.name === 'food-larder-worker')!;
    expect('replicas' in worker.spec).toBe(kind === 'none');
  }
});

describe.each([
  ['by default', {}],
  ['with everything that can be chosen', EVERYTHING],
])('%s', (_, change) => {
  const manifests = render(change);

  test('nothing runs as root, writes outside its volumes or gains privileges', () => {
    const pods = podsOf(manifests);
    expect(pods).toHaveLength(2);
    for (const { spec } of pods) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
      expect(spec.automountServiceAccountToken).toBe(false);
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        const volumes = spec.volumes.map(({ name }: Manifest) => name).toSorted();
        expect(container.volumeMounts.map(({ name }: Manifest) => name).toSorted()).toEqual(volumes);
      }
    }
  });

  test('no variable set by Kubernetes looks like a setting', () => {
    for (const { spec } of podsOf(manifests)) expect(spec.enableServiceLinks).toBe(false);
  });

  test('every selector matches its pods', () => {
    const pods = podsOf(manifests).map(({ metadata }) => metadata.labels);
    const isOf = (selector: object) => (labels: Manifest) =>
      Object.entries(selector).every(([name, value]) => labels[name] === value);
    for (const { kind, spec } of manifests) {
      const selector = spec?.selector?.matchLabels ?? spec?.podSelector?.matchLabels ?? spec?.selector;
      if (selector !== undefined) expect(pods.filter(isOf(selector)), kind).toHaveLength(1);
    }
  });

  test('every setting in the chart exists', () => {
    const [{ data }] = manifests.filter(({ kind }) => kind === 'ConfigMap');
    const named = podsOf(manifests).flatMap(({ spec }) =>
      spec.containers.flatMap(({ env = [] }: Manifest) => env.map(({ name }: Manifest) => name)),
    );
    expect(SETTINGS.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(data), ...named]),
    );
    for (const value of Object.values(data)) expect(value).toBeTypeOf('string');
  });
});

test.each([
  ['api', SERVICE.port.fallback],
  ['worker', undefined],
])('an %s has liveness and readiness probes and time to stop', (name, fixedPort) => {
  const manifests = render(EVERYTHING);
  const [pod] = podsOf(manifests).filter(({ spec }) => spec.containers[0].name === name);
  const [container] = pod.spec.containers;
  const [port] = container.ports;
  const configured = container.env.find((each: Manifest) => each.name === 'LARDER_WORKER_PORT')?.value;
  expect(String(port.containerPort)).toBe(fixedPort ?? configured);
  expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: port.name });
  expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: port.name });
  expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: port.name });
  const shutdownMs = Number(SERVICE.shutdownTimeoutMs.fallback);
  expect(pod.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(shutdownMs + 5_000);

  const policy = manifests.find(
    ({ kind, spec }) =>
      kind === 'NetworkPolicy' && spec.podSelector.matchLabels['app.kubernetes.io/component'] === name,
  )!;
  expect(policy.spec.ingress).toEqual([
    { ports: [{ port: port.name }], from: EVERYTHING.networkPolicy.from },
  ]);
});
