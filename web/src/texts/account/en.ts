/** Texts of signing in. */
export const account = {
  signIn: 'Sign in',
  signOut: 'Sign out',
  account: 'Account',
  password: 'Password',
  createAccount: 'Create account',
  welcome: 'Welcome to Larder',
  welcomeText: 'Your diary and your photos stay on this server. Choose a name and a password to begin.',
  passwordRule: 'At least 8 characters.',
  noLink: 'This address lacks its invitation. Open the link that you were given as a whole.',
  noAccount: 'No account? Whoever runs this Larder can invite you.',
  reset: {
    title: 'A new password',
    intro: 'Choose a new password. All your devices are signed out then.',
    set: 'Set password',
    done: (name: string) => `The password of ${name} is set. Sign in with it now.`,
    noticeTitle: 'Your password was set anew',
    notice: (date: string, by: string | undefined) =>
      `On ${date} a new password of your account was set by a link${by === undefined ? '' : ` that ${by} made`}. If that was not you, change the password in Settings, and tell an owner.`,
  },
  openId: {
    signIn: (name: string) => `Sign in with ${name}`,
    accounts: (name: string) => `Accounts of ${name}`,
    none: 'You sign in with your password only.',
    link: 'Link an account',
    unlink: 'Remove',
    linkedSince: (date: string) => `since ${date}`,
    other: 'Signing in did not work. Try again.',
    failures: {
      unknown:
        'Nobody here has linked this account. Sign in with your password and link it in the settings, or ask for an invitation.',
      state: 'This sign-in was begun in another window or too long ago. Try again.',
      denied: 'You refused at the other service. Try again, or use your password.',
      refused: 'The answer of the other service is not valid. Try again.',
      unavailable: 'The other service does not answer. Try again later, or use your password.',
      link: 'This invitation was used or has expired. Ask for a new one.',
      taken: 'This account cannot be linked: somebody else uses it, or you have linked too many.',
      session: 'You were signed out meanwhile. Sign in and try again.',
    },
  },
};
