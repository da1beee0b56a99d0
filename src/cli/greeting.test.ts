import { expect, test } from 'vitest';
import { greeting } from './greeting.ts';

const facts = {
  url: 'http://127.0.0.1:8080',
  foods: 2_500,
  keyFile: '/data/first-key.txt',
  firstKey: 'lrd_secret',
  isKeyKept: true,
};

test('a terminal shows the first key', () => {
  const text = greeting({ ...facts, isTerminal: true });
  expect(text).toContain('\n  lrd_secret\n');
  expect(text).toContain('Bearer lrd_secret"');
});

test('one food is written in the singular', () => {
  expect(greeting({ ...facts, foods: 1, isTerminal: true })).toContain('serves 1 food.');
});

test('other outputs, such as a log, show only the path of the key file', () => {
  const text = greeting({ ...facts, isTerminal: false });
  expect(text).not.toContain('lrd_secret');
  expect(text).toContain('The first API key is kept in /data/first-key.txt.');
  expect(text).toContain('Bearer $(cat /data/first-key.txt)"');
});

test('later starts name the key file while it exists', () => {
  const later = { ...facts, firstKey: undefined, isTerminal: true };
  expect(greeting(later)).toContain('/data/first-key.txt');
  expect(greeting({ ...later, isKeyKept: false })).not.toContain('first-key');
});

test.each(['http://0.0.0.0:8080', 'http://[::]:8080'])('%s is shown as a URL of this machine', (url) => {
  const text = greeting({ ...facts, url, isTerminal: true });
  expect(text).toContain(`listens on ${url}`);
  expect(text).toContain('"http://localhost:8080/v1/foods/search');
  expect(text).toContain('http://localhost:8080/docs');
});
