import { type Browser, firefox } from 'playwright-core';
import { findServer } from './bring-servers.ts';

export const FIREFOX = 'firefox-esr';

/** Why the tests of Firefox skip; undefined where it is installed. */
export const noFirefox = findServer(FIREFOX) === undefined ? 'Firefox is not installed' : undefined;

/** The part of Playwright behind a browser that its types do not show. */
interface Insides {
  readonly _connection: { toImpl(browser: unknown): { _browserSession: { send: Send } } };
}
type Send = (method: string, params: object) => Promise<unknown>;

/** Starts Debian's Firefox over WebDriver BiDi. Without network, as in `setOffline`, it cannot be. */
export async function startFirefox(): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: findServer(FIREFOX)!,
  });
  const session = (browser as unknown as Insides)._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  // Playwright 1.65 always sends it, and Firefox 153 does not know it yet.
  session.send = async (method, params) =>
    method === 'emulation.setMediaFeaturesOverride' ? {} : send(method, params);
  return browser;
}
