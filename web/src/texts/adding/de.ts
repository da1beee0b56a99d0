import type { adding as en } from './en.ts';

export const adding: typeof en = {
  camera: 'Kamera',
  cameraPicture: 'Bild der Kamera',
  cameraHint: 'Halte einen Barcode in den Rahmen, oder fotografiere deinen Teller.',
  cameraProblems: {
    insecure:
      'Die Kamera braucht HTTPS: Öffne diese Seite unter einer Adresse, die mit https beginnt, oder mache ein Foto.',
    denied:
      'Die Kamera ist nicht erlaubt. Erlaube sie in den Einstellungen des Browsers, oder mache ein Foto.',
    absent:
      'Keine Kamera gefunden, oder eine andere App benutzt sie. Mache ein Foto oder tippe den Barcode ein.',
  },
  torch: 'Licht',
  takePhoto: 'Foto machen',
  takePhotoInstead: 'Stattdessen ein Foto machen',
  selectFoods: 'Lebensmittel auswählen',
  moveOrCopyMeal: 'Diese Mahlzeit verschieben oder kopieren',
  ownName: 'Eigener Name',
  rename: 'Diese Mahlzeit umbenennen',
  ownNameHint: 'Zum Beispiel „Zweites Frühstück“',
  selectedCount: (count) => (count === 1 ? '1 Lebensmittel ausgewählt' : `${count} Lebensmittel ausgewählt`),
  moveOrCopy: 'Verschieben oder kopieren',
  moveOrCopyCount: (count) =>
    count === 1
      ? '1 Lebensmittel verschieben oder kopieren'
      : `${count} Lebensmittel verschieben oder kopieren`,
  move: 'Verschieben',
  copy: 'Kopieren',
  energyOrMacros: 'Gib die Energie an oder alle drei Makros: Dann wird sie berechnet.',
  energyComputed: (energy) =>
    `Aus den Makros berechnet: ${energy}. Alkohol ist nicht dabei; eine Energie, die du eingibst, gilt stattdessen.`,
  photographLabel: 'Etikett fotografieren',
  dictate: 'Diktieren',
  dictationFailed: 'Es wurde nichts verstanden. Erlaube dieser Seite das Mikrofon oder tippe.',
  day: 'Tag',
  meal: 'Mahlzeit',
  note: 'Notiz',
  eatenAt: 'Gegessen um',
  changedCount: (count) => (count === 1 ? '1 Lebensmittel geändert' : `${count} Lebensmittel geändert`),
  deletedCount: (count) => (count === 1 ? '1 Lebensmittel gelöscht' : `${count} Lebensmittel gelöscht`),
  movedTo: (name, day) => `${name} verschoben auf ${day}`,
  movedCountTo: (count, day) =>
    count === 1 ? `1 Lebensmittel verschoben auf ${day}` : `${count} Lebensmittel verschoben auf ${day}`,
  choosePhoto: 'Foto wählen',
  several: 'Mehrere wählen',
  tickHint: 'Tippe die Lebensmittel an, die du zusammen eintragen willst.',
  remove: (name) => `${name} entfernen`,
  yesterdayMeal: (meal) => `Gestern: ${meal}`,
  photoOf: 'Dein Foto',
  sending: 'Foto wird gesendet …',
  recognizing: 'Lebensmittel werden gesucht …',
  onPhoto: 'Auf dem Foto',
  take: (name) => `${name} hinzufügen`,
  instead: (name) => `Statt ${name}`,
  usually: (low, high) => `meist ${low} bis ${high} g`,
  labelRead:
    'Das ist eine Nährwerttabelle. Sichere sie als eigenes Lebensmittel, dann kannst du jede Menge davon eintragen.',
  saveAsFood: 'In meine Lebensmittel speichern',
  makeFood: 'Lebensmittel anlegen',
  unknownBarcode: (code) => `Kein Lebensmittel hat den Barcode ${code}.`,
  wrongCheckDigit: 'Die letzte Ziffer passt nicht zu den anderen. Vergleiche den Code mit der Packung.',
  textTooLong: (max) =>
    `Gelesen wird ein Text von höchstens ${max} Zeichen. Kürze ihn, oder trage ihn in Teilen ein.`,
  scanFailures: {
    file_empty: 'Die Datei ist leer. Wähle eine andere.',
    upload_expired: 'Das Foto kam nicht rechtzeitig an. Sende es noch einmal.',
    image_too_large: 'Das Foto ist zu groß. Wähle ein kleineres.',
    unsupported_image: 'Das ist kein lesbares Foto. Wähle ein JPEG, PNG, WebP oder HEIC.',
    image_unreadable: 'Das Foto ist beschädigt. Wähle ein anderes.',
    no_food_detected:
      'Kein Lebensmittel erkannt. Versuche es von oben und bei besserem Licht, oder schreibe, was es ist.',
    analysis_timeout: 'Das hat zu lange gedauert. Versuche es noch einmal.',
    recognizer_unavailable: 'Die Fotoerkennung ist nicht erreichbar. Versuche es später noch einmal.',
    internal_error: 'Das Foto ließ sich nicht lesen. Versuche es noch einmal.',
  },
  add: 'Hinzufügen',
  addAll: (count) => (count === 1 ? '1 Lebensmittel hinzufügen' : `${count} Lebensmittel hinzufügen`),
  noFoods: (query) =>
    `Kein Lebensmittel heißt „${query}“. Versuche andere Wörter oder trage die Energie ein.`,
  notUnderstood: (text) => `Nicht verstanden: ${text}`,
  quickAdd: 'Schnell eintragen',
  quickName: 'Was war es?',
  recents: 'Zuletzt',
  results: 'Lebensmittel',
  searchHint: 'Banane oder „2 Eier und Toast“',
  searchLabel: 'Lebensmittel, Barcode oder Text',
  understood: 'Aus deinem Text gelesen',
  unsure: 'unsicher',
  noAmount: 'Wie viel? Bitte gib die Menge an.',
  inAmount: (amount) => `In ${amount}`,
  quickChoice: 'Schnellwahl',
};
