import { describe, expect, it } from 'vitest';
import { readFoodDraft } from '../../api/foods/food-input.ts';
import { openNutrientColumns } from '../../foods/import/table/nutrient-columns.ts';
import { Reading } from '../import/reading.ts';
import type { FoodBasis } from '../import-options.ts';
import { readTableFile } from '../read-user-file.ts';
import { readFoodTable } from './food-table.ts';

async function read(text: string, per?: FoodBasis, userId?: string) {
  const reading = new Reading();
  readFoodTable(reading, {
    table: await readTableFile(Buffer.from(text), reading),
    nutrientOf: await openNutrientColumns(),
    per,
    owner: { tenant: 'acme', userId },
    readDraft: readFoodDraft,
    nowMs: 0,
  });
  return { reading, foods: reading.records.foods.map(({ record }) => record) };
}

describe('a table of foods', () => {
  it('is read per 100 g if nothing else is stated, and says so', async () => {
    const { reading, foods } = await read(
      'Name,kcal,protein,Sodium (mg),Colour\nPlum jam,240,0.5,12,red\nTap water,0,,,\n',
    );
    expect(reading.problems).toEqual([]);
    expect(foods).toMatchObject([
      {
        name: 'Plum jam',
        per100: { energy: 240, protein: 0.5, sodium: 12 },
        unknown: ['fat', 'carbohydrates'],
      },
      { name: 'Tap water', per100: { energy: 0 }, unknown: ['protein', 'fat', 'carbohydrates'] },
    ]);
    expect(reading.notes.join()).toContain('100 g');
    expect(reading.ignoredColumns).toEqual(['Colour']);
  });

  it.each([
    [
      'Lebensmittel;Marke;EAN;Energie (kJ / 100 g);Eiweiß (g/100g);Fett g/100g;Kohlenhydrate pro 100 g;davon Zucker pro 100 g;Salz pro 100 g\nBrot;Bäcker;4006381333931;1.046;8,5;3,3;48,3;2,1;1,25\n',
    ],
    [
      'Aliment\tMarque\tCode-barres\tÉnergie (kJ pour 100 g)\tProtéines pour 100 g\tLipides pour 100 g\tGlucides pour 100 g\tdont sucres pour 100 g\tSel pour 100 g\nBrot\tBäcker\t4006381333931\t1 046\t8,5\t3,3\t48,3\t2,1\t1,25\n',
    ],
    [
      'Alimento;Marca;Código de barras;Calorías por 100 g;Proteínas por 100 g;Grasas por 100 g;Hidratos de carbono por 100 g;Azúcares por 100 g;Sodio (g) por 100 g\nBrot;Bäcker;4006381333931;250;8,5;3,3;48,3;2,1;0,5\n',
    ],
    [
      'Prodotto;Marca;EAN;Energia (kcal) per 100 g;Proteine per 100 g;Grassi per 100 g;Carboidrati per 100 g;Zuccheri per 100 g;Sale per 100 g\nBrot;Bäcker;4006381333931;250;8,5;3,3;48,3;2,1;1,25\n',
    ],
    [
      'Produto;Marca;EAN;Energia kcal por 100 g;Proteínas por 100 g;Lípidos por 100 g;Carboidratos por 100 g;Açúcares por 100 g;Sal por 100 g\nBrot;Bäcker;4006381333931;250;8,5;3,3;48,3;2,1;1,25\n',
    ],
  ])('is read in another language: %.20s', async (text) => {
    const { reading, foods } = await read(text);
    expect([reading.problems, reading.ignoredColumns]).toEqual([[], []]);
    expect(foods).toMatchObject([
      {
        name: 'Brot',
        brand: 'Bäcker',
        barcode: '4006381333931',
        per100: { energy: 250, protein: 8.5, fat: 3.3, carbohydrates: 48.3, sugars: 2.1, sodium: 500 },
      },
    ]);
  });

  it('has servings with amounts per 100 g or per serving', async () => {
    const rows = 'Jam,"1 tbsp (20 g)",48\nSoup,250 ml,120\nBread,32,83\n';
    const perServing = await read(`Name,Serving size,Energy (kcal) per serving\n${rows}`);
    expect(perServing.foods).toMatchObject([
      { per100: { energy: 240 }, servings: [{ value: 20, unit: 'g', label: '1 tbsp (20 g)' }] },
      { basis: 'ml', per100: { energy: 48 } },
      { servings: [{ value: 32, unit: 'g', basisAmount: 32 }] },
    ]);
    const per100 = await read(`Name,Serving size,Energy (kcal)\n${rows}`, '100g');
    expect(per100.foods[0]).toMatchObject({ per100: { energy: 48 }, servings: [{ value: 20 }] });
  });

  it('is rejected if its amounts may be per 100 g or per serving', async () => {
    await expect(read('Name,Portion,kcal\nJam,20 g,48\n')).rejects.toThrow('--per');
    await expect(read('Name,kcal per 100 g,Fat per serving\nJam,48,1\n')).rejects.toThrow('one kind');
    await expect(read('Nom,Poids\nJam,48\n')).rejects.toThrow('energy');
  });

  it('names problems by line and column, and reads the other rows', async () => {
    const { reading, foods } = await read(
      'Name,Barcode,kcal per 100g,Fat per 100g\nJam,,48,lots\n,,48,1\nGlue,,,1\nLead,,100,200\nTea,12,1,0\nMilk,,64,3.5,1\n',
    );
    expect(foods.map(({ name }) => name)).toEqual(['Jam']);
    expect(reading.problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 'Fat per 100g'],
      [3, 'name'],
      [4, 'macros.energy'],
      [5, 'macros.fat'],
      [6, undefined],
      [7, undefined],
    ]);
  });

  it('gives foods ids derived from owner and row', async () => {
    const text = 'Name,kcal per 100g\nJam,48\nJam,48\n';
    const ids = (foods: Awaited<ReturnType<typeof read>>['foods']) => foods.map(({ id }) => id);
    const first = ids((await read(text)).foods);
    expect(new Set(first).size).toBe(2);
    expect(ids((await read(text)).foods)).toEqual(first);
    expect(ids((await read(text, undefined, 'ann')).foods)).not.toEqual(first);
  });
});
