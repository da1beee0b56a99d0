import { clusterSettings } from './cluster-settings.ts';

/** Settings of a cluster whose statements may take as long as on a busy machine. */
export async function patientSettings() {
  const settings = await clusterSettings();
  return {
    ...settings,
    LARDER_DATABASE_URL: settings['LARDER_DATABASE_URL']!,
    LARDER_DATABASE_WAIT_TIMEOUT_MS: '60000',
    LARDER_DATABASE_STATEMENT_TIMEOUT_MS: '120000',
  };
}
