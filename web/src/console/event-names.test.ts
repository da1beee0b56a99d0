import { expect, test } from 'vitest';
import page from '../../../docs/security.md?raw';
import { texts } from './texts/en.ts';

const rows = page.slice(page.indexOf('| Event |')).matchAll(/^\| `(\w+)` \|/gm);
const events = Array.from(rows, ([, name]) => name!);

test('each event of docs/security.md has a name', () => {
  expect(events.length).toBeGreaterThan(20);
  expect(Object.keys(texts.securityEvents.names).sort()).toEqual(events.toSorted());
});
