const READ = { lang: 'en', countries_tags: ['en:germany'] };
const PER_100 = {
  'energy-kcal_100g': 420,
  proteins_100g: 8,
  fat_100g: 14,
  carbohydrates_100g: 62,
  sugars_100g: 21,
  sodium_100g: 0,
};

/** Products that state something to diets and allergens, and one that states nothing. All are called "Millbrook … cookies". */
export const SAMPLE_PRODUCTS = [
  {
    ...READ,
    code: '4006381333931',
    product_name: 'Millbrook oat cookies',
    quantity: '150 g',
    ingredients_text:
      'Wholegrain _oat_ flakes 52 %, cane sugar, sunflower oil, raising agent: sodium bicarbonate, salt',
    ingredients_text_de:
      'Vollkorn-_Haferflocken_ 52 %, Rohrzucker, Sonnenblumenöl, Backtriebmittel: Natron, Salz',
    allergens_tags: ['en:gluten'],
    traces_tags: ['en:milk', 'en:nuts'],
    labels_tags: ['en:organic', 'en:no-palm-oil'],
    additives_tags: ['en:e500'],
    ingredients_analysis_tags: ['en:vegan', 'en:vegetarian'],
    nutriscore_grade: 'c',
    nova_group: 3,
    nutriments: { ...PER_100, 'vitamin-c_100g': 0.06, magnesium_100g: 0.09, zinc_100g: 0 },
  },
  {
    ...READ,
    code: '3017620422003',
    product_name: 'Millbrook butter cookies',
    ingredients_text: 'Wheat flour, sugar, butter',
    allergens_tags: ['en:gluten', 'en:milk'],
    ingredients_analysis_tags: ['en:non-vegan', 'en:vegetarian'],
    nutriscore_grade: 'e',
    nova_group: 4,
    nutriments: PER_100,
  },
  {
    ...READ,
    code: '5901234123457',
    product_name: 'Millbrook date cookies',
    ingredients_text: 'Dates, rice flour',
    ingredients_analysis_tags: ['en:vegan', 'en:vegetarian'],
    nutriments: PER_100,
  },
  { code: '8711000530085', product_name: 'Millbrook secret cookies', nutriments: PER_100 },
];
