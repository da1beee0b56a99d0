import { folder } from './schemas.ts';
import { required } from './setting.ts';

/** Settings of a service that terminates TLS itself. */
export const TLS = {
  cert: required(
    'LARDER_TLS_CERT',
    folder,
    'File with the [certificate](home.md#tls) and those between it and its authority, PEM. The service then speaks `https:` alone.',
  ),
  key: required('LARDER_TLS_KEY', folder, 'File with its private key, PEM.'),
};
