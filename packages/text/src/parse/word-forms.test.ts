import { beforeAll, expect, test } from 'vitest';
import type { Catalogue } from '../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../test/support/compiled-foods.ts';
import { type LanguageCode, languageOf, languageOfTag } from '../language.ts';
import { tokenise } from '../tokens.ts';
import { inflectedIn, toKnownForms, toMeantWords } from './word-forms.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

test.each<[LanguageCode, string, string]>([
  ['pl', 'kasza z masłem i serem', 'kasza z maslo i ser'],
  ['pl', '20 dag sera żółtego', '20 dag ser zolty'],
  ['pl', 'lampka białego wina', 'lampka biale wino'],
  // The name "kawa z mlekiem" has this form.
  ['pl', 'kawa z mlekiem', 'kawa z mlekiem'],
  ['pl', '2 xqzwami', '2 xqzwami'],
  ['nl', '2 gebakken eitjes', '2 gebakken eitjes'],
  // "Cipolle cotte" is a name.
  ['it', '2 cipolle', '2 cipolla'],
  ['it', 'cipolle cotte', 'cipolle cotte'],
  ['it', '3 arance', '3 arancia'],
  // "Limo" is a name in German.
  ['pt', '2 limões', '2 limao'],
  ['nl', 'gehakte kip', 'gehakte kip'],
  ['en', 'two eggs', 'two eggs'],
])('%s: %s', (code, text, forms) => {
  const tokens = toKnownForms(tokenise(text), languageOf(code), catalogue.names);
  expect(tokens.map(({ folded }) => folded).join(' ')).toBe(forms);
});

test('an inflected name tells the language of a text without other signs', () => {
  const codes = ['en', 'de', 'nl', 'pl'] as const;
  expect(inflectedIn(tokenise('300 g makaronu'), codes, catalogue.names)).toBe('pl');
  expect(inflectedIn(tokenise('200 g flour'), codes, catalogue.names)).toBeUndefined();
});

test.each([
  ['en', 'scampi and chips', 'scampi and fries'],
  ['en', 'bag of chips, coke', 'bag of chips coke'],
  ['en-GB', 'chips', 'fries'],
  ['en', '2 roti, dal, curd', '2 roti dal dahi'],
  ['en', 'cheese curd', 'cheese curd'],
  ['en', 'tea and a biscuit', 'tea and a cookie'],
  ['en', 'biscuit with gravy', 'biscuit with gravy'],
  ['en', 'turkey sub with mayo, chips', 'turkey sub with mayo chips'],
  ['en', 'a little milk', 'a bit of milk'],
  ['fr', 'pain et pâté', 'pain et terrine'],
  ['fr', 'pain et pate', 'pain et pate'],
  ['fr', 'yaourt sucré et sucre', 'yaourt sweetened et sucre'],
  ['fr', 'un verre de blanc', 'un verre de vin blanc'],
  ['es-ES', 'tortilla', 'tortilla de patatas'],
  ['es-ES', 'tortilla francesa', 'tortilla francesa'],
  ['es-MX', 'tortilla', 'tortilla'],
  ['it', 'cotoletta e patatine', 'cotoletta e patate fritte'],
  ['nl', 'aardappelen met jus', 'aardappelen met vleesjus'],
])('region and neighbours decide between senses, %s: %s', (tag, text, meant) => {
  const tokens = toMeantWords(tokenise(text), languageOfTag(tag));
  expect(tokens.flatMap(({ kind, folded }) => (kind === 'symbol' ? [] : [folded])).join(' ')).toBe(meant);
});
