import type { texts as en } from './en.ts';

export const texts: typeof en = {
  description: 'Een voedingsdagboek op je eigen server.',
  shortcuts: ['Streepjescode scannen', 'Voeding toevoegen', 'Gewicht invoeren'],
};
