import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json'));
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<
    string,
    {
      readonly version?: string;
      readonly integrity?: string;
      readonly inBundle?: boolean;
      readonly link?: boolean;
    }
  >;
};

test('every package is pinned to one version with its hash', () => {
  const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  for (const [name, version] of Object.entries(direct))
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)]);
  const unproven = Object.entries(packages)
    .filter(
      ([path, { integrity, inBundle, link }]) =>
        // The project's own packages are in the repository.
        !/^(packages\/\w+|web)?$/.test(path) &&
        !link &&
        inBundle !== true &&
        !integrity?.startsWith('sha512-'),
    )
    .map(([path]) => path);
  expect(unproven).toEqual([]);
});

test('no package may run a script during installation', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true');
});

test('packages, chart, documents and changelog name one version', () => {
  const own = Object.keys(packages).filter((path) => /^(packages\/\w+|web)$/.test(path));
  expect(own.length).toBeGreaterThan(3);
  const versions = own.flatMap((path) => [
    packages[path]!.version,
    JSON.parse(read(`${path}/package.json`)).version,
  ]);
  const chart = parse(read('deploy/helm/larder/Chart.yaml'));
  const documents = ['openapi.json', 'openapi-unversioned.json'].map(
    (name) => JSON.parse(read(name)).info.version,
  );
  const [changed] = /^## \d\S+/m.exec(read('CHANGELOG.md'))!;
  const all = [
    ...versions,
    packages['']!.version,
    chart.version,
    chart.appVersion,
    ...documents,
    changed.slice('## '.length),
  ];
  // The client's manifest here has none, so that npm does not publish the sources.
  expect(new Set(all)).toEqual(new Set([manifest.version, undefined]));
});
