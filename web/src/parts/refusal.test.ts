import { afterEach, expect, test } from 'vitest';
import { ALL_TEXTS } from '../texts/all-texts.ts';
import { LANGUAGE_CODES, type Language } from '../texts/languages.ts';
import { language, texts } from '../texts/texts.ts';
import { refusalText } from './refusal.ts';

const show = (chosen: Language) => {
  language.value = chosen;
  texts.value = ALL_TEXTS[chosen];
};
afterEach(() => show('en'));

const MESSAGE = 'The body does not fit.';
const told = (details?: object, code = 'invalid_request') => refusalText({ code, message: MESSAGE, details });

test.each([
  [{ fields: ['calories'] }, 'Der Dienst hat es nicht angenommen: Energie.'],
  [{ fields: ['macros.protein', '[2].fat'] }, 'Der Dienst hat es nicht angenommen: Eiweiß, Fett.'],
  [{ fields: ['quantity'], max: 1_000_000 }, 'Menge: höchstens 1.000.000.'],
  [{ fields: ['macros.energy', 'calories'], limit: 20 }, 'Energie: höchstens 20.'],
  [{ fields: ['ingredients[0].sauce'] }, 'Der Dienst hat es nicht angenommen: sauce.'],
  [{ fields: [''] }, 'Das hat nicht geklappt.'],
  [{ header: 'if-match' }, 'Das hat nicht geklappt.'],
  [undefined, 'Das hat nicht geklappt.'],
])('names refused fields in the language of the page: %o', (details, text) => {
  show('de');
  expect(told(details)).toBe(text);
});

test('a full quota and a wrong parameter are told in the language of the page', () => {
  show('de');
  const quota = { quota: 'custom_foods', limit: 10_000, used: 10_000 };
  expect(told(quota, 'quota_exceeded')).toBe('Mehr geht nicht: höchstens 10.000.');
  expect(told({ parameter: 'unit' }, 'invalid_query')).toBe('Der Dienst hat es nicht angenommen: Einheit.');
});

test('the message of the service is added in English alone', () => {
  expect(told({ fields: ['calories'] })).toBe(`The service did not accept it: Energy. ${MESSAGE}`);
  for (const chosen of LANGUAGE_CODES.filter((code) => code !== 'en')) {
    show(chosen);
    expect(told({ fields: ['calories'] })).not.toContain(MESSAGE);
    expect(told({}, 'conflict')).not.toContain(MESSAGE);
  }
});
