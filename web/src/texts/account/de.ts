import type { texts as en } from './en.ts';

export const texts: typeof en = {
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

  confirm: {
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
  madeCredentials: {
    ends: 'Mit dieser Person enden:',
    key: (name) => `Schlüssel ${name}`,
    webhook: (url) => `Webhook ${url}`,
    invitation: 'eine offene Einladung',
    handOver:
      'Schlüssel und Webhooks in meinem Namen behalten. Tausche die Schlüssel danach aus: Die Person kann sie kennen.',
  },

  passkeys: {
    title: 'Passkeys',
    text: 'Melde dich mit Fingerabdruck, Gesicht oder PIN eines Geräts an, ohne Passwort. Ein Passkey gilt nur für diese Adresse.',
    insecure:
      'Browser kennen Passkeys nur bei Adressen mit https:// und einem Namen, nicht bei http:// und nicht bei einer Nummer wie 192.168.1.20. Wer dieses Larder betreibt, kann das einrichten; wie, steht unter „TLS“ in der Dokumentation.',
    unsupported: 'Dieser Browser kann keine Passkeys.',
    signIn: 'Mit Passkey anmelden',
    confirm: 'Mit Passkey bestätigen',
    refused: 'Dieser Passkey wurde nicht angenommen. Versuche es noch einmal.',
    gaveUp: 'Das Gerät hat keinen Passkey erstellt. Versuche es noch einmal.',
    known: 'Dieses Gerät hat schon einen Passkey für dich.',
    name: 'Name des Passkeys',
    exampleName: 'Handy',
    add: 'Passkey hinzufügen',
    site: (site, day) => `für ${site}, seit ${day}`,
    lastUsed: (day) => `zuletzt verwendet am ${day}`,
    remove: 'Entfernen',
    removeNamed: (name) => `Passkey ${name} entfernen`,
    reallyRemove: (name) => `${name} wirklich entfernen? Damit meldet sich dann niemand mehr an.`,
    cancel: 'Abbrechen',
    required: 'Nach dem Passwort auch nach einem Passkey fragen',
    codesLeft: (left) =>
      `${left} Wiederherstellungscodes sind übrig. Jeder meldet dich einmal an, falls du deine Passkeys verloren hast.`,
    newCodes: 'Neue Wiederherstellungscodes',
    codes: 'Wiederherstellungscodes',
    codesOnce:
      'Sie werden nur dieses eine Mal gezeigt und ersetzen alle früheren. Bewahre sie dort auf, wo du sie ohne dieses Gerät findest.',
    noPassword: 'Passwort entfernen',
    reallyNoPassword: 'Wirklich nur noch mit Passkeys anmelden? Bewahre deine Wiederherstellungscodes auf.',
    passwordGone: 'Du meldest dich nur noch mit Passkeys an.',
    second: 'Noch ein Schritt',
    secondText: 'Das Passwort stimmt. Bestätige mit einem Passkey oder einem Wiederherstellungscode.',
    code: 'Wiederherstellungscode',
    useCode: 'Code verwenden',
    lost: 'Passkeys verloren?',
    yourName: 'Name',
  },
};
