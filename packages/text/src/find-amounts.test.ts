import { describe, expect, test } from 'vitest';
import { type Amount, findAmounts } from './find-amounts.ts';
import { type LanguageCode, languageOf } from './language.ts';
import { tokenise } from './tokens.ts';

/** Formats an amount in one line: "2 can each 14 oz", "150 g = 5.25 oz". */
function said(amount: Amount): string {
  return [
    (amount.range ?? [amount.quantity]).join('-'),
    amount.size,
    amount.heaped && 'heaped',
    amount.unit,
    amount.by?.map((number) => `by ${number}`).join(' '),
    amount.container && `in ${amount.container}`,
    amount.each && `each ${said(amount.each)}`,
    amount.plus && `plus ${said(amount.plus)}`,
    ...amount.alternatives.map((other) => `= ${said(other)}`),
    amount.aside && 'aside',
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

const amountsIn = (code: LanguageCode, text: string) =>
  findAmounts(tokenise(text), languageOf(code)).map(said);
const amountsOf = (text: string) => amountsIn('en', text);

describe('amounts in English', () => {
  test.each([
    ['1 1/2 cups flour', ['1.5 cup']],
    ['1-1/2 cups flour', ['1.5 cup']],
    ['5¼oz butter', ['5.25 oz']],
    ['1/3 of a bunch of radishes', ['0.3333333333333333 bunch']],
    ['1,000 g rice and 1,5 l water', ['1000 g', '1.5 l']],
    ['2 x 330 ml cola', ['2 each 330 ml']],
    ['2x330ml cola', ['2 each 330 ml']],
    ['2 x 50g/1½oz pieces salmon', ['2 piece each 50 g = 1.5 oz']],
    ['150g/5¼oz canned chickpeas', ['150 g = 5.25 oz']],
    ['500g/1lb 2oz beef', ['500 g = 1 lb plus 2 oz']],
    ['1 cup plus 2 tablespoons flour', ['1 cup plus 2 tbsp']],
    ['1 cup minus 1 tbsp flour', ['1 cup plus -1 tbsp']],
    ['1 cup minus 10 g flour', ['1 cup', '10 g']],
    ['1 (14 oz) can beans', ['1 can each 14 oz']],
    ['One 11-ounce can corn', ['1 can each 11 oz']],
    ['2 (½-inch-thick) slices bread', ['2 slice each 0.5 inch']],
    ['1 box (15 oz/425 g) puff pastry', ['1 box each 15 oz = 425 g']],
    ['1 cup (8 fl ounces/240 ml) milk', ['1 cup = 8 fl_oz = 240 ml']],
    ['400g tin tomatoes', ['400 g in can']],
    ['2cm/1in piece ginger', ['2 cm in piece = 1 inch']],
    ['1½ to 2 cups, 3 or 4 tablespoons, 100g-150g', ['1.5-2 cup', '3-4 tbsp', '100-150 g']],
    ['a handful of nuts, small bunch of mint', ['1 handful', '1 small bunch']],
    ['a bottle of cola (16.9 fl oz)', ['1 bottle', '16.9 fl_oz aside']],
    ['a glass of 244g milk', ['1 glass each 244 g']],
    ['a fritter of 2.5 inches by 2.5 inches', ['1', '2.5 inch by 2.5']],
    ['half a banana, a couple of eggs, a dozen oysters, half a dozen rolls', ['0.5', '2', '12', '6']],
    [
      'two and a half cups, a cup and a half of milk, three-quarters of a cup',
      ['2.5 cup', '1.5 cup', '0.75 cup'],
    ],
    ['one hundred and fifty grams of rice, twenty-five almonds', ['150 g', '25']],
    ['a large latte, two medium-sized apples', ['1 large', '2 medium']],
    ['a warm and comforting cup of tea', ['1 cup']],
    ['a roll, two rolls of mints', ['1', '2 roll']],
    ['1/4th cup sugar, 2/3rds cup milk', ['0.25 cup', '0.6666666666666666 cup']],
    ['3 doz. oysters', ['36']],
    ['1 heaped tsp paprika, a level tablespoon of flour', ['1 heaped tsp', '1 tbsp']],
    ['0 eggs, 2 eggs and 0 bacon', ['0', '2', '0']],
    ['6 quarter-size slices of ginger', ['6 slice']],
  ])('%s', (text, amounts) => {
    expect(amountsOf(text)).toEqual(amounts);
  });

  test.each([
    '2% milk',
    'at 7:30',
    'at 8 pm',
    'half-and-half',
    '7 up',
    'seven-grain bread',
    '5-spice',
    '30 minutes',
    '0 fat yogurt',
    'cola 0',
  ])('%s is not an amount', (text) => {
    expect(amountsOf(text)).toEqual([]);
  });
});

describe('amounts in other languages', () => {
  test.each<[LanguageCode, string, string[]]>([
    ['de', '1 geh. EL Mehl, 2 gestr. TL Salz', ['1 heaped tbsp', '2 tsp']],
    ['de', 'ein gehäufter Teelöffel Kakao', ['1 heaped tsp']],
    ['de', '1 kl. Gurke, 1 gr. Dose Mais, 400 gr. Mehl', ['1 small', '1 large can', '400 g']],
    ['de', '3 Dtzd. Eier', ['36']],
    ['de', '1 halber Apfel', ['0.5']],
    ['de', '2.250 ml Milch', ['2250 ml']],
    ['fr', '2 c. à s. bombées de sucre, 1 c. à c. rase de sel', ['2 heaped tbsp', '1 tsp']],
    ['fr', '1 250 ml de lait', ['1250 ml']],
    ['fr', '1 demi citron', ['0.5']],
    ['es', '1 cucharadita colmada de sal', ['1 heaped tsp']],
    ['es', '1 media manzana', ['0.5']],
    ['it', '2 cucchiai colmi di farina, 1 cucchiaino raso', ['2 heaped tbsp', '1 tsp']],
    ['it', '1 mezza mela', ['0.5']],
    ['pt', '1 colher de chá cheia de canela', ['1 heaped tsp']],
    ['pt', '1.250 ml de leite', ['1250 ml']],
    ['de', '250 ml minus 2 EL Milch', ['250 ml plus -2 tbsp']],
    ['fr', '250 ml moins 2 cuillères à soupe de lait', ['250 ml plus -2 tbsp']],
    ['es', '250 ml menos 2 cucharadas de leche', ['250 ml plus -2 tbsp']],
    ['it', '250 ml meno 2 cucchiai di latte', ['250 ml plus -2 tbsp']],
    ['pt', '250 ml menos 2 colheres de sopa de leite', ['250 ml plus -2 tbsp']],
    ['nl', '250 ml minus 2 eetlepels melk', ['250 ml plus -2 tbsp']],
    ['pl', '250 ml minus 2 łyżki mleka', ['250 ml plus -2 tbsp']],
  ])('%s: %s', (code, text, amounts) => {
    expect(amountsIn(code, text)).toEqual(amounts);
  });
});
