import type { adding as en } from './en.ts';

export const adding: typeof en = {
  addToNamed: (meal) => `Ajouter à « ${meal} »`,
  leftUnfinished: (meal) => `${meal} : pas encore ajouté.`,
  goOn: 'Continuer',
  discard: 'Abandonner',
  camera: 'Appareil photo',
  cameraFor: (meal) => `Appareil photo pour ${meal}`,
  cameraPicture: 'Image de l’appareil photo',
  cameraHint: 'Placez un code-barres dans le cadre, ou photographiez votre assiette.',
  cameraProblems: {
    insecure:
      'L’appareil photo exige HTTPS : ouvrez cette page par une adresse qui commence par https, ou prenez une photo.',
    denied:
      'L’appareil photo n’est pas autorisé. Autorisez-le dans les réglages du navigateur, ou prenez une photo.',
    absent:
      'Aucun appareil photo ne répond. Une autre application l’utilise peut-être. Prenez une photo, ou saisissez le code-barres.',
  },
  torch: 'Lumière',
  takePhoto: 'Prendre une photo',
  takePhotoInstead: 'Prendre plutôt une photo',
  again: (meal) => `Encore pour ${meal}`,
  addAgain: (name, amount, meal) =>
    amount === '' ? `Ajouter ${name} à ${meal}` : `Ajouter ${name} ${amount} à ${meal}`,
  backToToday: 'Revenir à aujourd’hui',
  mealMenu: (meal) => `Plus pour ${meal}`,
  selectFoods: 'Sélectionner des aliments',
  moveOrCopyMeal: 'Déplacer ou copier ce repas',
  ownName: 'Nom personnel',
  ownNameHint: 'Par exemple « Collation du matin »',
  selectedCount: (count) => (count === 1 ? '1 aliment sélectionné' : `${count} aliments sélectionnés`),
  moveOrCopy: 'Déplacer ou copier',
  moveOrCopyCount: (count) =>
    count === 1 ? 'Déplacer ou copier 1 aliment' : `Déplacer ou copier ${count} aliments`,
  move: 'Déplacer',
  copy: 'Copier',
  cancel: 'Annuler',
  day: 'Jour',
  meal: 'Repas',
  note: 'Note',
  eatenAt: 'Mangé à',
  changedCount: (count) => (count === 1 ? '1 aliment modifié' : `${count} aliments modifiés`),
  deletedCount: (count) => (count === 1 ? '1 aliment supprimé' : `${count} aliments supprimés`),
  movedTo: (name, day) => `${name} déplacé : ${day}`,
  movedCountTo: (count, day) =>
    count === 1 ? `1 aliment déplacé : ${day}` : `${count} aliments déplacés : ${day}`,
  addedTo: (name, day) => `${name} ajouté : ${day}`,
  addedCountTo: (count, day) =>
    count === 1 ? `1 aliment ajouté : ${day}` : `${count} aliments ajoutés : ${day}`,
  choosePhoto: 'Choisir une photo',
  several: 'Plusieurs',
  tickHint: 'Touchez les aliments à ajouter ensemble.',
  remove: (name) => `Retirer ${name}`,
  yesterdayMeal: (meal) => `Hier : ${meal}`,
  photoOf: 'Votre photo',
  sending: 'Envoi de la photo…',
  recognizing: 'Recherche des aliments…',
  onPhoto: 'Sur la photo',
  take: (name) => `Ajouter ${name}`,
  instead: (name) => `À la place de ${name}`,
  usually: (low, high) => `d’habitude ${low} à ${high} g`,
  labelRead:
    'C’est un tableau nutritionnel. Enregistrez-le comme aliment personnel, puis ajoutez-en la quantité voulue.',
  saveAsFood: 'Enregistrer comme aliment personnel',
  makeFood: 'En faire un aliment personnel',
  unknownBarcode: (code) => `Aucun aliment ne porte le code-barres ${code}.`,
  textTooLong: (max) =>
    `Un texte de ${max} caractères au plus est lu. Raccourcissez-le ou ajoutez-le en plusieurs fois.`,
  scanFailures: {
    file_empty: 'Le fichier est vide. Choisissez-en un autre.',
    upload_expired: 'La photo a mis trop de temps à arriver. Envoyez-la à nouveau.',
    image_too_large: 'La photo est trop grande. Choisissez-en une plus petite.',
    unsupported_image: 'Cette photo ne peut pas être lue. Choisissez un JPEG, PNG, WebP ou HEIC.',
    image_unreadable: 'La photo est endommagée. Choisissez-en une autre.',
    no_food_detected:
      'Aucun aliment reconnu. Essayez d’en haut et avec plus de lumière, ou écrivez ce que c’est.',
    analysis_timeout: 'C’était trop long. Réessayez.',
    recognizer_unavailable: 'La reconnaissance des photos est injoignable. Réessayez plus tard.',
    internal_error: 'La photo n’a pas pu être lue. Réessayez.',
  },
};
