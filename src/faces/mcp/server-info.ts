import packageJson from '../../../package.json' with { type: 'json' };

// Information about the server that clients get before they see tools.

export const SERVER_INFO = { name: 'larder', title: 'Larder', version: packageJson.version };

export const INSTRUCTIONS =
  'A nutrition service: foods, barcodes, a food diary with goals, photo scans. nutrients has energy in kcal, masses in g, or in mg or ' +
  'ug where the schema says so. "At least" marks sums of which some foods state nothing. Days are dates of the user’s calendar; "today" ' +
  'is understood by the user’s time zone, and answers repeat it. confidence is a probability.';
