/**
 * What is logged about credentials and data that leaves or ends, by its stable name; a test compares docs/security.md. Lines have the
 * level `info` and the message `security event`.
 */
export const SECURITY_EVENTS = {
  sign_in: 'Somebody signs in with a password, a passkey or an OpenID account.',
  sign_out: 'A person ends the session of this browser.',
  session_ended: 'A session is ended from elsewhere.',
  confirm: 'A person proves again who they are.',
  person_joined: 'Somebody joins by a link.',
  person_removed: 'A person is removed.',
  role_changed: 'A person gets another role.',
  password_changed: 'A password is changed or set.',
  password_link_created: 'A link is made by which a person sets a new password.',
  account_linked: 'An OpenID account becomes a way to sign in.',
  account_unlinked: 'An OpenID account is no way to sign in any more.',
  passkey_added: 'A passkey becomes a way to sign in.',
  passkey_removed: 'A passkey is no way to sign in any more.',
  passkey_required: 'A password is to sign in only with a passkey, or alone again.',
  password_removed: 'A password is removed, since passkeys sign in.',
  recovery_codes_created: 'New recovery codes replace earlier ones.',
  invitation_created: 'An invitation is made.',
  invitation_removed: 'An invitation is taken back.',
  sharing_changed: 'A person decides who sees the own diary.',
  key_created: 'A key is made.',
  key_rotated: 'A key gets a successor.',
  key_changed: 'The limits of a key change.',
  key_revoked: 'A key is revoked.',
  webhook_created: 'A webhook is made.',
  webhook_changed: 'A webhook changes.',
  webhook_rotated: 'A webhook gets another secret.',
  webhook_removed: 'A webhook is removed.',
  user_erased: 'All data of a user is erased.',
  user_exported: 'All data of a user is exported.',
  user_imported: 'Data of a user is imported.',
  backup: 'A backup is downloaded.',
  catalogue_import: 'An import of foods for everybody is started.',
  catalogue_switched: 'Another catalogue comes into use.',
} as const;

export type SecurityEvent = keyof typeof SECURITY_EVENTS;

/** `limited`: too many tries, as after a lock-out. */
export const SECURITY_RESULTS = ['ok', 'refused', 'limited', 'failed'] as const;
export type SecurityResult = (typeof SECURITY_RESULTS)[number];

/** The events of operations, by their ids. */
export const EVENT_OF: Readonly<Record<string, SecurityEvent>> = {
  createSession: 'sign_in',
  signInByPasskey: 'sign_in',
  finishOpenId: 'sign_in',
  deleteSession: 'sign_out',
  endSession: 'session_ended',
  endAnySession: 'session_ended',
  confirmSession: 'confirm',
  confirmByPasskey: 'confirm',
  addPasskey: 'passkey_added',
  removePasskey: 'passkey_removed',
  requirePasskey: 'passkey_required',
  removePassword: 'password_removed',
  createRecoveryCodes: 'recovery_codes_created',
  createPerson: 'person_joined',
  deletePerson: 'person_removed',
  changeRole: 'role_changed',
  changePassword: 'password_changed',
  createPasswordLink: 'password_link_created',
  resetPassword: 'password_changed',
  removeIdentity: 'account_unlinked',
  createInvitation: 'invitation_created',
  deleteInvitation: 'invitation_removed',
  putSharing: 'sharing_changed',
  createKey: 'key_created',
  createOwnKey: 'key_created',
  rotateKey: 'key_rotated',
  changeKey: 'key_changed',
  revokeKey: 'key_revoked',
  revokeOwnKey: 'key_revoked',
  createWebhook: 'webhook_created',
  changeWebhook: 'webhook_changed',
  rotateWebhook: 'webhook_rotated',
  deleteWebhook: 'webhook_removed',
  eraseUser: 'user_erased',
  exportUser: 'user_exported',
  importUser: 'user_imported',
  downloadBackup: 'backup',
  startImport: 'catalogue_import',
  activateCatalogue: 'catalogue_switched',
};

const TOO_MANY = 429;
const FIRST_REFUSAL = 400;
const FIRST_FAULT = 500;

/** A sign-in that identifies nobody counts as refused, also if the answer is a redirect with the reason. */
export function resultOf(event: SecurityEvent, status: number, who: string | undefined): SecurityResult {
  if (status === TOO_MANY) return 'limited';
  if (status >= FIRST_FAULT) return 'failed';
  if (status >= FIRST_REFUSAL) return 'refused';
  return event === 'sign_in' && who === undefined ? 'refused' : 'ok';
}
