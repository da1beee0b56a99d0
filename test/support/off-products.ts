// Products in the form of Open Food Facts exports.

export const OLD_SCHEMA = {
  code: '4006381333931',
  product_name: 'Oat &amp; honey bar',
  brands: 'Acme,Other',
  serving_size: '1 bar (50 g)',
  serving_quantity: '50',
  nutriments: {
    'energy-kcal_serving': 200,
    proteins_serving: 5,
    fat_serving: 10,
    carbohydrates_serving: 22.5,
    sodium_serving: 0.1,
  },
};
export const NEW_SCHEMA = {
  code: '96385074',
  product_name: 'Oat drink',
  schema_version: 1003,
  nutriments: {},
  nutrition: {
    input_sets: [{ source: 'estimate', nutrients: { fat: { value: 99, unit: 'g' } } }],
    aggregated_set: {
      per: '100ml',
      preparation: 'as_sold',
      nutrients: {
        'energy-kj': { value: 209.2, unit: 'kJ' },
        proteins: { value: 1000, unit: 'mg' },
        fat: { value: 2, unit: 'g' },
        carbohydrates: { value: 7, unit: 'g' },
        iron: { value: 9, unit: 'g', source: 'estimate' },
      },
    },
  },
};
export const NAMED_ONLY = { code: '3017620422003', product_name: 'Hazelnut spread' };
export const jsonl = (...products: object[]) =>
  products.map((product) => `${JSON.stringify(product)}\n`).join('');

export const TABLE = [
  'code\tproduct_name\tbrands\tenergy-kcal_100g\tproteins_100g\tfat_100g\tcarbohydrates_100g',
  '4006381333931\tOat "bar"\tAcme\t400\t10\t20\t45',
  '96385074\tOat drink\t\t50\t1\t2\t7',
  'too\tshort',
  '\tNo code\t\t50\t1\t2\t7',
].join('\n');
