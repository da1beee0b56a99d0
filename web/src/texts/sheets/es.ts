import type { sheetTexts as en } from './en.ts';

export const sheetTexts: typeof en = {
  nutrientSheet: {
    nothing: 'No hay nada anotado.',
    unknown: (names) => `Ningún alimento indica: ${names}.`,
    atLeastMeans: '«Al menos»: algunos alimentos no lo indican, la cantidad real es mayor.',
    mostFrom: (name) => `${name}: sobre todo de`,
    ofEnergy: (share) => `${share} de la energía`,
    ofGoal: (share) => `${share} del objetivo del día`,
  },
  printView: {
    title: 'Imprimir',
    print: 'Imprimir',
    ranges: { day: 'Día', week: 'Semana', month: 'Mes' },
    of: (name) => `Diario de comidas de ${name}`,
    averages: 'Promedios',
    nutrient: 'Nutriente',
    perDay: 'al día',
    food: 'Alimento',
    total: 'Total',
    atLeastMeans:
      '«?»: no se sabe. «≥» y «al menos»: algunos alimentos no lo indican, la cantidad real es mayor.',
  },
};
