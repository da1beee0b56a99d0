import { it } from 'vitest';
import { CHECK_TIMEOUT_MS, expectEveryCheckToPass } from '../support/run-check.ts';
import { startServiceProcess } from '../support/service-process.ts';

it('a service passes every check', { timeout: CHECK_TIMEOUT_MS }, async () => {
  await using service = await startServiceProcess();
  await expectEveryCheckToPass(service.url, service.key);
});
