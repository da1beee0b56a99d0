import type { account as en } from './en.ts';

export const account: typeof en = {
  signIn: 'Se connecter',
  signOut: 'Se déconnecter',
  account: 'Compte',
  password: 'Mot de passe',
  createAccount: 'Créer un compte',
  welcome: 'Bienvenue dans Larder',
  welcomeText: 'Votre journal et vos photos restent sur ce serveur. Choisissez un nom et un mot de passe.',
  passwordRule: 'Au moins 8 caractères.',
  noLink: 'Il manque l’invitation à cette adresse. Ouvrez le lien reçu en entier.',
  noAccount: 'Pas de compte ? La personne qui gère ce Larder peut vous inviter.',
  reset: {
    title: 'Un nouveau mot de passe',
    intro: 'Choisissez un nouveau mot de passe. Tous vos appareils seront déconnectés.',
    set: 'Définir le mot de passe',
    done: (name) => `Le mot de passe de ${name} est défini. Connectez-vous avec.`,
    noticeTitle: 'Votre mot de passe a été redéfini',
    notice: (date, by) =>
      `Le ${date}, un nouveau mot de passe de votre compte a été défini par un lien${by === undefined ? '' : ` créé par ${by}`}. Si ce n’était pas vous, changez-le dans les réglages et prévenez un propriétaire.`,
  },
  openId: {
    signIn: (name) => `Se connecter avec ${name}`,
    accounts: (name) => `Comptes ${name}`,
    none: 'Vous vous connectez seulement avec votre mot de passe.',
    link: 'Associer un compte',
    unlink: 'Retirer',
    linkedSince: (date) => `depuis le ${date}`,
    other: 'La connexion a échoué. Réessayez.',
    failures: {
      unknown:
        'Ce compte n’est associé à personne ici. Connectez-vous avec votre mot de passe et associez-le dans les réglages, ou demandez une invitation.',
      state: 'Cette connexion a été commencée dans une autre fenêtre ou il y a trop longtemps. Réessayez.',
      denied: 'Vous avez refusé auprès de l’autre service. Réessayez, ou utilisez votre mot de passe.',
      refused: 'La réponse de l’autre service n’est pas valable. Réessayez.',
      unavailable: 'L’autre service ne répond pas. Réessayez plus tard, ou utilisez votre mot de passe.',
      link: 'Cette invitation a été utilisée ou a expiré. Demandez-en une nouvelle.',
      taken:
        'Ce compte ne peut pas être associé : quelqu’un d’autre l’utilise, ou vous en avez associé trop.',
      session: 'Vous avez été déconnecté entre-temps. Connectez-vous et réessayez.',
    },
  },
};
