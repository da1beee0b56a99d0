import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { findScanPackages, missingPackagesText } from './scan-packages.ts';

const lacking =
  (...names: string[]) =>
  (name: string) =>
    !names.includes(name);

test('a whole installation lacks nothing, whichever model is configured', () => {
  const found = findScanPackages({ dishModel: { hubId: 'a/b' } });
  expect(found).toEqual({ missing: [], canOpenPhotos: true, canReadLabels: true, canRecognizeDishes: true });
  expect(missingPackagesText(found)).toBeUndefined();
});

test.each([
  [['sharp'], false, false, false, /^Photos cannot be scanned: .* sharp\. Run `npm ci` without/],
  [
    ['onnxruntime-node'],
    true,
    false,
    false,
    /^Scans read barcodes, but neither labels nor dishes: .* onnxruntime-node/,
  ],
  [['@huggingface/transformers'], true, true, false, /^Scans do not recognize dishes: .*transformers/],
])('without %j', (names, photos, labels, dishes, text) => {
  const found = findScanPackages({ dishModel: { hubId: 'a/b' } }, lacking(...names));
  expect(found).toEqual({
    missing: names,
    canOpenPhotos: photos,
    canReadLabels: labels,
    canRecognizeDishes: dishes,
  });
  expect(missingPackagesText(found)).toMatch(text);
});

test('only image-text models need the transformers package', () => {
  using folder = tempFolder();
  const without = lacking('@huggingface/transformers');
  const missing = () => findScanPackages({ dishModel: { dir: folder.path } }, without).missing;
  expect(missing()).toEqual([]);
  writeFileSync(join(folder.path, 'config.json'), '{}');
  expect(missing()).toEqual(['@huggingface/transformers']);
  expect(findScanPackages({ dishModel: 'shipped' }, without).missing).toEqual([]);
});
