import type { sheetTexts as en } from './en.ts';

export const sheetTexts: typeof en = {
  nutrientSheet: {
    nothing: 'Rien n’a été noté.',
    unknown: (names) => `Aucun aliment n’indique : ${names}.`,
    atLeastMeans: '« Au moins » : certains aliments ne l’indiquent pas, la quantité réelle est plus élevée.',
    mostFrom: (name) => `${name} : surtout de`,
    ofEnergy: (share) => `${share} de l’énergie`,
    ofGoal: (share) => `${share} de l’objectif du jour`,
  },
  printView: {
    title: 'Imprimer',
    print: 'Imprimer',
    ranges: { day: 'Jour', week: 'Semaine', month: 'Mois' },
    of: (name) => `Journal alimentaire de ${name}`,
    averages: 'Moyennes',
    nutrient: 'Nutriment',
    perDay: 'par jour',
    food: 'Aliment',
    total: 'Total',
    atLeastMeans:
      '« ? » : inconnu. « ≥ » et « au moins » : certains aliments ne l’indiquent pas, la quantité réelle est plus élevée.',
  },
};
