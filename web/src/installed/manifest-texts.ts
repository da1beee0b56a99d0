/** Texts of the installed app, by the language of the page that installs it. `web/build.ts` makes a manifest for each. */
export const MANIFEST_TEXTS = {
  en: {
    description: 'A food diary on your own server.',
    shortcuts: ['Scan a barcode', 'Add food', 'Enter weight'],
  },
  de: {
    description: 'Ein Ernährungstagebuch auf dem eigenen Server.',
    shortcuts: ['Strichcode scannen', 'Essen eintragen', 'Gewicht eintragen'],
  },
  fr: {
    description: 'Un journal alimentaire sur votre propre serveur.',
    shortcuts: ['Scanner un code-barres', 'Ajouter un aliment', 'Saisir le poids'],
  },
  es: {
    description: 'Un diario de comidas en tu propio servidor.',
    shortcuts: ['Escanear un código', 'Añadir un alimento', 'Anotar el peso'],
  },
} as const;
