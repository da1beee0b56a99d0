import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ATTACKER_NICE } from './run-attacker.ts';

/** Works for a share of each tenth of a second, so that it is spread over the time as an attack is. */
const BURN = `
const [share, endsAt] = [Number(process.argv[1]), performance.now() + Number(process.argv[2])];
const tick = () => {
  const until = performance.now() + 100 * share;
  while (performance.now() < until);
  if (performance.now() < endsAt) setTimeout(tick, 100 * (1 - share));
};
tick();
`;
const MAX_MS = 10_000;

/** Uses as much processor time as an attacker did, at the same priority, and asks nothing of anybody. */
export async function runBurner(cpuSeconds: number, lastedMs: number): Promise<void> {
  const share = Math.min(1, (cpuSeconds * 1_000) / lastedMs);
  const words = ['-n', String(ATTACKER_NICE), process.execPath, '-e', BURN, String(share)];
  const child = spawn('nice', [...words, String(Math.min(lastedMs, MAX_MS))], { stdio: 'inherit' });
  await once(child, 'exit');
}
