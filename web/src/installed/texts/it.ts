import type { texts as en } from './en.ts';

export const texts: typeof en = {
  description: 'Un diario alimentare sul tuo server.',
  shortcuts: ['Scansiona un codice a barre', 'Aggiungi un alimento', 'Inserisci il peso'],
};
