import type { sheetTexts as en } from './en.ts';

export const sheetTexts: typeof en = {
  nutrientSheet: {
    nothing: 'Nichts eingetragen.',
    unknown: (names) => `Kein Lebensmittel nennt: ${names}.`,
    atLeastMeans: '„Mindestens“: Manche Lebensmittel nennen es nicht; in Wahrheit ist es mehr.',
    mostFrom: (name) => `${name}: das meiste aus`,
    ofEnergy: (share) => `${share} der Energie`,
    ofGoal: (share) => `${share} des Tagesziels`,
  },
  printView: {
    title: 'Drucken',
    print: 'Drucken',
    ranges: { day: 'Tag', week: 'Woche', month: 'Monat' },
    of: (name) => `Ernährungstagebuch von ${name}`,
    averages: 'Durchschnitt',
    nutrient: 'Nährstoff',
    perDay: 'am Tag',
    food: 'Lebensmittel',
    total: 'Summe',
    atLeastMeans:
      '„?“: nicht bekannt. „≥“ und „mindestens“: Manche Lebensmittel nennen es nicht; in Wahrheit ist es mehr.',
  },
};
