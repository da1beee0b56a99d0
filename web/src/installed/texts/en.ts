/** Texts of the installed app, by the language of the page that installs it. `web/build.ts` makes a manifest of them. */
export const texts = {
  description: 'A food diary on your own server.',
  shortcuts: ['Scan a barcode', 'Add food', 'Enter weight'],
};
