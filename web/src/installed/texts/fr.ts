import type { texts as en } from './en.ts';

export const texts: typeof en = {
  description: 'Un journal alimentaire sur votre propre serveur.',
  shortcuts: ['Scanner un code-barres', 'Ajouter un aliment', 'Saisir le poids'],
};
