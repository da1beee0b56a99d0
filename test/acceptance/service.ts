import { startServiceProcess } from '../support/service-process.ts';

/** The service under test: an address and a key, and nothing else is known of it. */
export interface AcceptanceTarget extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
}

/** `LARDER_ACCEPTANCE_URL` and `LARDER_ACCEPTANCE_KEY` name a running one; without them one is started. */
export async function openTarget(): Promise<AcceptanceTarget> {
  const { LARDER_ACCEPTANCE_URL: url, LARDER_ACCEPTANCE_KEY: key } = process.env;
  if (url === undefined || key === undefined) return startServiceProcess();
  return { url: url.replace(/\/$/, ''), key, [Symbol.asyncDispose]: async () => {} };
}
