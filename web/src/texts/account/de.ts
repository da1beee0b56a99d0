import type { account as en } from './en.ts';

export const account: typeof en = {
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  account: 'Konto',
  password: 'Passwort',
  createAccount: 'Konto anlegen',
  welcome: 'Willkommen bei Larder',
  welcomeText: 'Tagebuch und Fotos bleiben auf diesem Server. Wähle einen Namen und ein Passwort.',
  passwordRule: 'Mindestens 8 Zeichen.',
  noLink: 'Dieser Adresse fehlt die Einladung. Öffne den ganzen Link, den du bekommen hast.',
  noAccount: 'Kein Konto? Wer dieses Larder betreibt, kann dich einladen.',
  reset: {
    title: 'Ein neues Passwort',
    intro: 'Wähle ein neues Passwort. Danach sind alle deine Geräte abgemeldet.',
    set: 'Passwort setzen',
    done: (name) => `Das Passwort von ${name} ist gesetzt. Melde dich jetzt damit an.`,
    noticeTitle: 'Dein Passwort wurde neu gesetzt',
    notice: (date, by) =>
      `Am ${date} wurde für dein Konto über einen Link${by === undefined ? '' : ` von ${by}`} ein neues Passwort gesetzt. Warst du das nicht, dann ändere es in den Einstellungen und sag es einem Besitzer.`,
  },
  openId: {
    signIn: (name) => `Mit ${name} anmelden`,
    accounts: (name) => `Konten bei ${name}`,
    none: 'Du meldest dich nur mit deinem Passwort an.',
    link: 'Konto verknüpfen',
    unlink: 'Entfernen',
    linkedSince: (date) => `seit ${date}`,
    other: 'Die Anmeldung hat nicht geklappt. Versuch es noch einmal.',
    failures: {
      unknown:
        'Dieses Konto ist hier mit niemandem verknüpft. Melde dich mit deinem Passwort an und verknüpfe es in den Einstellungen, oder bitte um eine Einladung.',
      state:
        'Diese Anmeldung wurde in einem anderen Fenster oder vor zu langer Zeit begonnen. Versuch es noch einmal.',
      denied: 'Du hast beim anderen Dienst abgelehnt. Versuch es noch einmal, oder nimm dein Passwort.',
      refused: 'Die Antwort des anderen Dienstes ist nicht gültig. Versuch es noch einmal.',
      unavailable:
        'Der andere Dienst antwortet nicht. Versuch es später noch einmal, oder nimm dein Passwort.',
      link: 'Diese Einladung wurde benutzt oder ist abgelaufen. Bitte um eine neue.',
      taken:
        'Dieses Konto lässt sich nicht verknüpfen: Jemand anderes benutzt es, oder du hast zu viele verknüpft.',
      session: 'Du wurdest inzwischen abgemeldet. Melde dich an und versuch es noch einmal.',
    },
  },
};
