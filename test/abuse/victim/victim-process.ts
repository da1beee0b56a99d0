/** The process of the victim: what it measures is not slowed down by the work of others. */
import { Victim } from './victim.ts';
import type { VictimOrder } from './victim-handle.ts';

let victim: Victim;
process.on('message', async (order: VictimOrder) => {
  if (order.do === 'use') victim = new Victim(order);
  else if (order.do === 'begin') victim.begin();
  else if (order.do === 'end') process.send!(await victim.end());
  else process.send!(await victim.verify());
});
process.once('disconnect', () => process.exit(0));
