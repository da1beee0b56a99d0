/** The process that attacks: gets an order from its parent, carries it out, and reports. */
import { Random } from '../../../bench/support/search-random.ts';
import { ATTACKS } from '../attacks.ts';
import { HostileClient } from './hostile-client.ts';
import type { AttackOrder, AttackReport } from './run-attacker.ts';

process.once('message', async (message) => {
  const { name, seed, isFull, limitMs, ...given } = message as AttackOrder;
  const attack = ATTACKS.find((each) => each.name === name)!;
  const client = new HostileClient(given);
  let report: AttackReport;
  try {
    const outcome = await attack.run({
      ...given,
      client,
      random: new Random({ seed }),
      count: (full, usual) => (isFull ? full : usual),
      endsAtMs: performance.now() + limitMs,
    });
    report = { ...outcome, counts: [...client.counts], cpuSeconds: cpuSeconds() };
  } catch (error) {
    const { stack } = error as Error;
    report = {
      sent: '',
      breaches: [`the attack broke: ${stack}`],
      counts: [...client.counts],
      cpuSeconds: 0,
    };
  }
  client.close();
  process.send!(report, () => process.exit(0));
});

// Whoever runs the attacks has ended.
process.once('disconnect', () => process.exit(1));

/** Returns the processor time of this process and of the children that it has waited for, such as imports. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
