import type { texts as en } from './en.ts';

export const texts: typeof en = {
  description: 'Dziennik żywieniowy na własnym serwerze.',
  shortcuts: ['Zeskanuj kod kreskowy', 'Dodaj produkt', 'Wpisz wagę'],
};
