import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { licenceProblems } from './licences.ts';
import { makeSbom, packagesOf } from './sbom.ts';

/** Packages that no shipped part needs. */
const ONLY_TESTS = ['vitest', 'typescript', 'fast-check', 'knip'];

const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
};

test('the bill of materials lists each shipped package with its version, and none that only tests use', () => {
  const sbom = makeSbom({ shipped: true });
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'larder' } } });
  const listed = packagesOf(sbom);
  for (const [name, version] of Object.entries(dependencies)) {
    if (name.startsWith('@larder/')) continue;
    expect(listed).toContainEqual(expect.objectContaining({ name, version }));
  }
  expect(listed.filter(({ name }) => ONLY_TESTS.includes(name))).toEqual([]);
});

test('all packages, including those for builds, tests and other platforms, have an allowed licence', () => {
  const packages = packagesOf(makeSbom({ shipped: false }));
  expect(packages.length).toBeGreaterThan(Object.keys(dependencies).length);
  expect(licenceProblems(packages)).toEqual([]);
});
