import type { TextItem } from '@larder/text/parse/read-text.ts';
import { expect, test } from 'vitest';
import type { LabelledFood, LabelledText } from '../../tools/texts/labelled-texts.ts';
import { figuresOf, judge } from './judged-texts.ts';

const RICE: LabelledFood = { any: ['rice'], none: ['fried'], energy: [100, 160], grams: [190, 210] };
const EGG: LabelledFood = { any: ['egg'], none: ['noodle'], energy: [120, 200], grams: [0, 0] };

function label(...foods: LabelledFood[]): LabelledText {
  return { text: '', context: 'meal', language: 'en', set: 'fit', foods, note: '' };
}

function item(name: string, energy: number, grams: number | null, confidence = 0.9): TextItem {
  return { food: { name, per100: { energy } }, grams, confidence } as TextItem;
}

test('a text is right if each food is, in order, with no further one', () => {
  const rice = item('White rice', 130, 200);
  const egg = item('Boiled egg', 155, 50);
  expect(judge(label(RICE, EGG), [rice, egg])).toMatchObject({ isRight: true, confidence: 0.81 });
  expect(judge(label(RICE, EGG), [egg, rice])).toMatchObject({ count: true, kind: false, isRight: false });
  expect(judge(label(RICE, EGG), [rice])).toMatchObject({ count: false, kind: false, isRight: false });
  expect(judge(label(RICE), [rice, egg])).toMatchObject({ count: false, kind: true, isRight: false });
});

test('kind, energy and grams are judged apart', () => {
  expect(judge(label(RICE), [item('Fried rice', 130, 200)])).toMatchObject({ kind: false, energy: true });
  expect(judge(label(RICE), [item('Rice, dry', 365, 200)])).toMatchObject({ kind: true, energy: false });
  expect(judge(label(RICE), [item('Rice', 130, 150)])).toMatchObject({ energy: true, grams: false });
  // any amount is right where none is stated, but there must be one
  expect(judge(label(EGG), [item('Egg', 143, 3)]).grams).toBe(true);
  expect(judge(label(EGG), [item('Egg', 143, null)]).grams).toBe(false);
});

test('a text without foods is right if none is found, and then has no probability', () => {
  const none = { food: null, grams: null, confidence: 0 } as TextItem;
  expect(judge(label(), [none])).toMatchObject({ isRight: true, confidence: undefined });
  expect(judge(label(), [item('Egg', 143, 50)])).toMatchObject({ isRight: false, confidence: 0.9 });
});

test('an item without a food makes a text unsure, a lost one does not', () => {
  const unknown = { food: null, grams: null, confidence: 0.1 } as TextItem;
  expect(judge(label(RICE, EGG), [item('Rice', 130, 200), unknown]).confidence).toBeCloseTo(0.09);
  expect(judge(label(RICE, EGG), [item('Rice', 130, 200)]).confidence).toBeCloseTo(0.9);
});

test('the calibration error compares confidence with right answers', () => {
  const right = judge(label(EGG), [item('Egg', 143, 50)]);
  const wrong = judge(label(RICE), [item('Egg', 143, 50)]);
  const silent = judge(label(), []);
  const figures = figuresOf([right, wrong, silent]);
  expect(figures).toMatchObject({ texts: 3, sure: 2, sureWrong: 0.5 });
  expect(figures.calibrationError).toBeCloseTo(0.4);
});
