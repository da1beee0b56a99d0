import { anyText, issuer, nonEmpty, oneOf } from './schemas.ts';
import { required, setting } from './setting.ts';

/** Settings of the OpenID provider that people of the household sign in with. */
export const OPENID = {
  issuer: required(
    'LARDER_OPENID_ISSUER',
    issuer,
    'Issuer by which [people sign in](people.md#sign-in-by-openid); needs `LARDER_PUBLIC_URL`.',
  ),
  clientId: required('LARDER_OPENID_CLIENT_ID', anyText, 'Id that the provider knows this service by.'),
  name: setting('LARDER_OPENID_NAME', nonEmpty, 'OpenID', 'Name of the provider on the button.'),
  mayJoin: setting(
    'LARDER_OPENID_JOIN',
    oneOf(['on', 'off']),
    'off',
    '`on`: all people of the provider may join as members; `off`: only by invitation.',
  ),
  secrets: {
    clientSecret: setting('LARDER_OPENID_CLIENT_SECRET', anyText, '', 'Secret of the client, if it has one.'),
  },
};
