import { it } from 'vitest';
import { CHECK_TIMEOUT_MS, expectEveryCheckToPass } from '../support/run-check.ts';
import { openTarget } from './service.ts';

it('a service passes every check', { timeout: CHECK_TIMEOUT_MS }, async () => {
  await using target = await openTarget();
  await expectEveryCheckToPass(target.url, target.key);
});
