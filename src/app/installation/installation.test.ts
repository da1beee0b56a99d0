import { expect, test } from 'vitest';
import { watchInstallation } from './installation.ts';

test('an installation that loses packages, or gets another version, starts no processes until it is whole', () => {
  let missing = ['onnxruntime-node'];
  let version: string | undefined = '1.0.0';
  const why = watchInstallation({ dishModel: 'shipped' }, { missing: () => missing, version: () => version });
  expect(why()).toBeUndefined();
  missing = ['sharp', 'onnxruntime-node'];
  expect(why()).toMatch(/^npm packages are missing \(sharp\): .*npm ci/);
  missing = [];
  expect(why()).toBeUndefined();
  version = '1.1.0';
  expect(why()).toMatch(/^version 1\.1\.0 was installed while 1\.0\.0 runs: restart the service/);
  version = undefined;
  expect(why()).toMatch(/^package\.json is missing/);
});
