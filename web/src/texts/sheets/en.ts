/** Texts of sheets over the day in English. The other languages have the same keys. */
export const sheetTexts = {
  nutrientSheet: {
    nothing: 'Nothing was logged.',
    unknown: (names: string) => `No food states: ${names}.`,
    atLeastMeans: '“At least”: some foods do not state it, so that the true amount is higher.',
    mostFrom: (name: string) => `${name}: most of it from`,
    ofEnergy: (share: string) => `${share} of the energy`,
    ofGoal: (share: string) => `${share} of the day’s goal`,
  },
  printView: {
    title: 'Print',
    print: 'Print',
    ranges: { day: 'Day', week: 'Week', month: 'Month' },
    of: (name: string) => `Food diary of ${name}`,
    averages: 'Averages',
    nutrient: 'Nutrient',
    perDay: 'a day',
    food: 'Food',
    total: 'Total',
    atLeastMeans:
      '“?”: not known. “≥” and “at least”: some foods do not state it, so that the true amount is higher.',
  },
};
