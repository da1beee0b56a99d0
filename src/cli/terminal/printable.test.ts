import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { cell, columns, printable, printableInLine, toLines } from './format.ts';

const ESC = '\u001b';

test.each([
  ['a title of the window', `Tea${ESC}]0;owned\u0007`, 'Tea\\u001b]0;owned\\u0007'],
  ['one byte that begins a sequence', 'Tea\u009b2J', 'Tea\\u009b2J'],
  ['a return to the start of the line', 'failed\rpassed', 'failed\\u000dpassed'],
  ['text that is shown turned around', 'Tea \u202egnp.exe', 'Tea \\u202egnp.exe'],
  ['delete and NUL', '\u007f\u0000', '\\u007f\\u0000'],
])('%s is shown without effect on the terminal', (_, text, shown) => {
  expect(printable(text)).toBe(shown);
  expect(printableInLine(text)).toBe(shown);
});

test('ordinary text and layout stay unchanged', () => {
  const text = 'name\tkcal\nKäse — 牛乳 🍌👩‍👩‍👧 گوشت‌\n';
  expect(printable(text)).toBe(text);
});

test('JSON keeps its meaning', () => {
  const value = { name: `Tea${ESC}[2J\u009b1m\u202e`, lines: 'a\nb' };
  for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
    expect(JSON.parse(printable(json))).toEqual(value);
    expect(printable(json)).not.toMatch(/[\u007f-\u009f\u202e]/);
  }
});

test('a name cannot begin a new line', () => {
  const name = 'Tea\nCoffee';
  expect(cell(name, 20).trimEnd()).toBe('Tea\\u000aCoffee');
  expect(columns([[name, 'x']])).toBe('Tea\\u000aCoffee  x\n');
  expect(toLines([name])).toBe('Tea\\u000aCoffee\n');
});

test('commands print only through these functions', async () => {
  const isWritten: string[] = [];
  for (const file of globSync('src/cli/**/*.ts')) {
    if (/\.test\.ts$|\/terminal\/|scan\/output\.ts$/.test(file)) continue;
    if (/\b(?:out|err|stdout|stderr)\.write\(/.test(await readFile(file, 'utf8'))) isWritten.push(file);
  }
  expect(isWritten).toEqual([]);
});
