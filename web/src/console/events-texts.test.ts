import { expect, test } from 'vitest';
import page from '../../../docs/security.md?raw';
import { EVENT_TEXTS } from './events-texts.ts';

const rows = page.slice(page.indexOf('| Event |')).matchAll(/^\| `(\w+)` \|/gm);
const events = Array.from(rows, ([, name]) => name!);

test.each(Object.entries(EVENT_TEXTS))('each event of docs/security.md has a name: %s', (_, texts) => {
  expect(events.length).toBeGreaterThan(20);
  expect(Object.keys(texts.events).sort()).toEqual(events.toSorted());
  for (const [event, name] of Object.entries(texts.events)) expect(name).not.toBe(event);
});
