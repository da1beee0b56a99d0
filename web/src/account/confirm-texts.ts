import type { Language } from '../texts/texts.ts';

const en = {
  title: 'Confirm that it is you',
  why: 'This gives access or cannot be undone, so the service asks again who is at this device.',
  signInAgain: 'Sign out and in again, then repeat this within five minutes.',
  password: 'Password',
  wrong: 'The password is wrong.',
  confirm: 'Confirm',
  cancel: 'Cancel',
  passkey: 'Confirm with a passkey',
  by: (provider: string) => `Confirm with ${provider}`,
};

/** Loaded with the dialog, which the console shows, too. */
export const CONFIRM_TEXTS: Readonly<Record<Language, typeof en>> = {
  en,
  de: {
    title: 'Bestätige, dass du es bist',
    why: 'Das gibt Zugang oder lässt sich nicht rückgängig machen. Darum fragt der Dienst noch einmal, wer am Gerät ist.',
    signInAgain: 'Melde dich ab und wieder an, und wiederhole es dann innerhalb von fünf Minuten.',
    password: 'Passwort',
    wrong: 'Das Passwort ist falsch.',
    confirm: 'Bestätigen',
    cancel: 'Abbrechen',
    passkey: 'Mit Passkey bestätigen',
    by: (provider) => `Mit ${provider} bestätigen`,
  },
  fr: {
    title: 'Confirmez que c’est bien vous',
    why: 'Cette action donne un accès ou ne peut pas être annulée : le service redemande donc qui utilise cet appareil.',
    signInAgain: 'Déconnectez-vous, reconnectez-vous, puis recommencez dans les cinq minutes.',
    password: 'Mot de passe',
    wrong: 'Le mot de passe est incorrect.',
    confirm: 'Confirmer',
    cancel: 'Annuler',
    passkey: 'Confirmer avec une clé d’accès',
    by: (provider) => `Confirmer avec ${provider}`,
  },
  es: {
    title: 'Confirma que eres tú',
    why: 'Esto da acceso o no se puede deshacer, por eso el servicio vuelve a preguntar quién usa este dispositivo.',
    signInAgain: 'Cierra la sesión, vuelve a entrar y repítelo antes de cinco minutos.',
    password: 'Contraseña',
    wrong: 'La contraseña es incorrecta.',
    confirm: 'Confirmar',
    cancel: 'Cancelar',
    passkey: 'Confirmar con una llave de acceso',
    by: (provider) => `Confirmar con ${provider}`,
  },
};
