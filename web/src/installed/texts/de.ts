import type { texts as en } from './en.ts';

export const texts: typeof en = {
  description: 'Ein Ernährungstagebuch auf dem eigenen Server.',
  shortcuts: ['Strichcode scannen', 'Essen eintragen', 'Gewicht eintragen'],
};
