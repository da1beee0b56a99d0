import type { texts as en } from './en.ts';

export const texts: typeof en = {
  signIn: 'Inloggen',
  signOut: 'Uitloggen',
  account: 'Account',
  password: 'Wachtwoord',
  createAccount: 'Account maken',
  welcome: 'Welkom bij Larder',
  welcomeText:
    'Je dagboek en je foto’s blijven op deze server. Kies een naam en een wachtwoord om te beginnen.',
  passwordRule: 'Minstens 8 tekens.',
  noLink: 'In dit adres ontbreekt de uitnodiging. Open de hele link die je hebt gekregen.',
  noAccount: 'Geen account? Wie dit Larder beheert, kan je uitnodigen.',
  reset: {
    title: 'Een nieuw wachtwoord',
    intro: 'Kies een nieuw wachtwoord. Al je apparaten worden dan uitgelogd.',
    set: 'Wachtwoord instellen',
    done: (name) => `Het wachtwoord van ${name} is ingesteld. Log er nu mee in.`,
    noticeTitle: 'Je wachtwoord is opnieuw ingesteld',
    notice: (date, by) =>
      `Op ${date} is een nieuw wachtwoord van je account ingesteld via een link${by === undefined ? '' : ` die ${by} maakte`}. Was jij dat niet, wijzig dan het wachtwoord bij de instellingen en vertel het een eigenaar.`,
  },
  openId: {
    signIn: (name) => `Inloggen met ${name}`,
    accounts: (name) => `Accounts van ${name}`,
    none: 'Je logt alleen met je wachtwoord in.',
    link: 'Een account koppelen',
    unlink: 'Verwijderen',
    linkedSince: (date) => `sinds ${date}`,
    other: 'Inloggen is niet gelukt. Probeer het opnieuw.',
    failures: {
      unknown:
        'Niemand hier heeft dit account gekoppeld. Log in met je wachtwoord en koppel het bij de instellingen, of vraag om een uitnodiging.',
      state: 'Dit inloggen is in een ander venster of te lang geleden begonnen. Probeer het opnieuw.',
      denied: 'Je hebt het bij de andere dienst geweigerd. Probeer het opnieuw, of gebruik je wachtwoord.',
      refused: 'Het antwoord van de andere dienst is niet geldig. Probeer het opnieuw.',
      unavailable: 'De andere dienst antwoordt niet. Probeer het later, of gebruik je wachtwoord.',
      link: 'Deze uitnodiging is gebruikt of verlopen. Vraag om een nieuwe.',
      taken:
        'Dit account kan niet worden gekoppeld: iemand anders gebruikt het, of je hebt er te veel gekoppeld.',
      session: 'Je bent intussen uitgelogd. Log in en probeer het opnieuw.',
    },
  },

  confirm: {
    title: 'Bevestig dat jij het bent',
    why: 'Dit geeft toegang of kan niet ongedaan worden gemaakt. Daarom vraagt de dienst opnieuw wie dit apparaat gebruikt.',
    signInAgain: 'Log uit en weer in, en herhaal dit binnen vijf minuten.',
    password: 'Wachtwoord',
    wrong: 'Het wachtwoord klopt niet.',
    confirm: 'Bevestigen',
    cancel: 'Annuleren',
    passkey: 'Bevestigen met een passkey',
    by: (provider) => `Bevestigen met ${provider}`,
  },
  madeCredentials: {
    ends: 'Met deze persoon eindigen:',
    key: (name) => `sleutel ${name}`,
    webhook: (url) => `webhook ${url}`,
    invitation: 'een openstaande uitnodiging',
    handOver:
      'Sleutels en webhooks op mijn naam houden. Vervang de sleutels daarna: de persoon kan ze kennen.',
  },

  passkeys: {
    title: 'Passkeys',
    text: 'Log in met vingerafdruk, gezicht of pincode van een apparaat, zonder wachtwoord. Een passkey werkt alleen op dit adres.',
    insecure:
      'Browsers hebben passkeys alleen op adressen met https:// en een naam, niet met http:// en niet op een nummer zoals 192.168.1.20. Wie dit Larder beheert, kan dat instellen; ‘TLS’ in de documentatie legt uit hoe.',
    unsupported: 'Deze browser heeft geen passkeys.',
    signIn: 'Inloggen met een passkey',
    confirm: 'Bevestigen met een passkey',
    refused: 'Die passkey is niet aanvaard. Probeer het opnieuw.',
    gaveUp: 'Het apparaat heeft geen passkey gemaakt. Probeer het opnieuw.',
    known: 'Dit apparaat heeft al een passkey voor je.',
    name: 'Naam van de passkey',
    exampleName: 'Telefoon',
    add: 'Een passkey toevoegen',
    site: (site, day) => `voor ${site}, sinds ${day}`,
    lastUsed: (day) => `laatst gebruikt op ${day}`,
    remove: 'Verwijderen',
    removeNamed: (name) => `De passkey ${name} verwijderen`,
    reallyRemove: (name) => `${name} echt verwijderen? Daarmee kun je dan niet meer inloggen.`,
    cancel: 'Annuleren',
    required: 'Ook na het wachtwoord om een passkey vragen',
    codesLeft: (left) =>
      `Resterende herstelcodes: ${left}. Met elke code kun je één keer inloggen als je je passkeys kwijt bent.`,
    newCodes: 'Nieuwe herstelcodes',
    codes: 'Herstelcodes',
    codesOnce:
      'Ze worden alleen deze keer getoond en vervangen alle eerdere. Bewaar ze waar je ze zonder dit apparaat vindt.',
    noPassword: 'Het wachtwoord verwijderen',
    reallyNoPassword: 'Echt alleen met passkeys inloggen? Bewaar je herstelcodes.',
    passwordGone: 'Je logt alleen nog met passkeys in.',
    second: 'Nog één stap',
    secondText: 'Het wachtwoord klopt. Bevestig met een passkey of een herstelcode.',
    code: 'Herstelcode',
    useCode: 'De code gebruiken',
    lost: 'Je passkeys kwijt?',
    yourName: 'Naam',
  },
};
