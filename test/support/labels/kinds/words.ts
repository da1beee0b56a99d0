/** Words of labels in one language. */
export interface LabelWords {
  readonly title: string;
  readonly per: string;
  readonly serving: string;
  readonly energy: string;
  readonly fat: string;
  readonly saturatedFat: string;
  readonly carbohydrates: string;
  readonly sugars: string;
  readonly fiber: string;
  readonly protein: string;
  readonly salt: string;
  readonly sodium: string;
  readonly polyols: string;
  readonly prepared: readonly string[];
  readonly asSold: readonly string[];
  readonly about: readonly string[];
  readonly trace: string;
  readonly less: string;
}

export const LABEL_WORDS: Readonly<Record<string, LabelWords>> = {
  en: {
    title: 'Nutrition information',
    per: 'per',
    serving: 'per serving',
    energy: 'Energy',
    fat: 'Fat',
    saturatedFat: 'of which saturates',
    carbohydrates: 'Carbohydrate',
    sugars: 'of which sugars',
    fiber: 'Fibre',
    protein: 'Protein',
    salt: 'Salt',
    sodium: 'Sodium',
    polyols: 'of which polyols',
    prepared: ['prepared', 'as prepared', 'made up', 'as consumed*', 'cooked'],
    asSold: ['dry mix', 'as packaged', 'as sold', 'powder', 'uncooked'],
    about: ['approx.', 'about', '~', 'c.'],
    trace: 'trace',
    less: 'less than',
  },
  de: {
    title: 'Nährwertangaben',
    per: 'pro',
    serving: 'pro Portion',
    energy: 'Brennwert',
    fat: 'Fett',
    saturatedFat: 'davon gesättigte Fettsäuren',
    carbohydrates: 'Kohlenhydrate',
    sugars: 'davon Zucker',
    fiber: 'Ballaststoffe',
    protein: 'Eiweiß',
    salt: 'Salz',
    sodium: 'Natrium',
    polyols: 'davon mehrwertige Alkohole',
    prepared: ['zubereitet', 'fertig zubereitet', 'verzehrfertig', 'gekocht', 'Zubereitung'],
    asSold: ['Pulver', 'unzubereitet', 'Trockenprodukt', 'ungekocht', 'Produkt'],
    about: ['ca.', 'etwa', '~', 'circa'],
    trace: 'Spuren',
    less: 'weniger als',
  },
  fr: {
    title: 'Déclaration nutritionnelle',
    per: 'pour',
    serving: 'par portion',
    energy: 'Énergie',
    fat: 'Matières grasses',
    saturatedFat: 'dont acides gras saturés',
    carbohydrates: 'Glucides',
    sugars: 'dont sucres',
    fiber: 'Fibres alimentaires',
    protein: 'Protéines',
    salt: 'Sel',
    sodium: 'Sodium',
    polyols: 'dont polyols',
    prepared: ['préparé', 'produit préparé', 'reconstitué', 'cuit', 'préparée'],
    asSold: ['poudre', 'tel que vendu', 'produit sec', 'cru', 'non préparé'],
    about: ['env.', 'environ', '~', 'approx.'],
    trace: 'traces',
    less: 'moins de',
  },
  es: {
    title: 'Información nutricional',
    per: 'por',
    serving: 'por porción',
    energy: 'Valor energético',
    fat: 'Grasas',
    saturatedFat: 'de las cuales saturadas',
    carbohydrates: 'Hidratos de carbono',
    sugars: 'de los cuales azúcares',
    fiber: 'Fibra alimentaria',
    protein: 'Proteínas',
    salt: 'Sal',
    sodium: 'Sodio',
    polyols: 'de los cuales polialcoholes',
    prepared: ['preparado', 'producto preparado', 'reconstituido', 'cocido', 'preparada'],
    asSold: ['polvo', 'sin preparar', 'producto seco', 'crudo', 'en polvo'],
    about: ['aprox.', 'alrededor de', '~', 'unos'],
    trace: 'trazas',
    less: 'menos de',
  },
  it: {
    title: 'Dichiarazione nutrizionale',
    per: 'per',
    serving: 'per porzione',
    energy: 'Energia',
    fat: 'Grassi',
    saturatedFat: 'di cui acidi grassi saturi',
    carbohydrates: 'Carboidrati',
    sugars: 'di cui zuccheri',
    fiber: 'Fibre',
    protein: 'Proteine',
    salt: 'Sale',
    sodium: 'Sodio',
    polyols: 'di cui polioli',
    prepared: ['preparato', 'prodotto preparato', 'ricostituito', 'cotto', 'preparata'],
    asSold: ['polvere', 'non preparato', 'prodotto secco', 'crudo', 'prodotto tal quale'],
    about: ['circa', 'ca.', '~', 'appross.'],
    trace: 'tracce',
    less: 'meno di',
  },
  pt: {
    title: 'Declaração nutricional',
    per: 'por',
    serving: 'por porção',
    energy: 'Energia',
    fat: 'Lípidos',
    saturatedFat: 'dos quais saturados',
    carbohydrates: 'Hidratos de carbono',
    sugars: 'dos quais açúcares',
    fiber: 'Fibra',
    protein: 'Proteínas',
    salt: 'Sal',
    sodium: 'Sódio',
    polyols: 'dos quais polióis',
    prepared: ['preparado', 'produto preparado', 'reconstituído', 'cozido', 'preparada'],
    asSold: ['pó', 'não preparado', 'produto seco', 'cru', 'em pó'],
    about: ['aprox.', 'cerca de', '~', 'ca.'],
    trace: 'vestígios',
    less: 'menos de',
  },
};

export const LABEL_LANGUAGES = Object.keys(LABEL_WORDS);
