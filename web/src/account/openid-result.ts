import { signal } from '@preact/signals';

/** How a sign-in at the OpenID provider ended, as the address says after it: `done`, `linked`, or why it failed. */
export const openIdResult = signal(take());

/** Takes it out of the address, so that it is shown once. */
function take(): string | undefined {
  const result = new URLSearchParams(location.hash.slice(1)).get('openid');
  if (result === null) return undefined;
  // The window in which a person proved who they are; the one that opened it goes on.
  if (result === 'confirmed') {
    new BroadcastChannel('larder-confirm').postMessage(result);
    close();
  }
  history.replaceState(history.state, '', location.pathname + location.search);
  return result;
}
