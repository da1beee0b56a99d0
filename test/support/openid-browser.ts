import type { Answer, Asked } from './http-client.ts';

const MAX_REDIRECTS = 12;

/** A browser for tests: stores cookies of each host, and follows redirects between the service and the provider. */
export class OpenIdBrowser {
  readonly #address: string;
  readonly #ask: (asked: Asked) => Promise<Answer>;
  readonly #jars = new Map<string, Map<string, string>>();
  /** Visited addresses. */
  readonly visited: string[] = [];

  /** `address` is that of the service, whatever its port is. */
  constructor(address: string, ask: (asked: Asked) => Promise<Answer>) {
    this.#address = address;
    this.#ask = ask;
  }

  /** Deletes the cookies of other hosts than the service. */
  leaveProvider(): void {
    for (const host of this.#jars.keys()) if (host !== new URL(this.#address).host) this.#jars.delete(host);
  }

  cookiesOf(host: string): string {
    return Array.from(this.#jars.get(host) ?? [], ([name, value]) => `${name}=${value}`).join('; ');
  }

  setCookie(name: string, value: string): void {
    this.#jar(new URL(this.#address).host).set(name, value);
  }

  /** Sends a request to the service like its page. */
  async page(method: string, path: string, payload?: object): Promise<Answer> {
    const { origin, host } = new URL(this.#address);
    const headers = { cookie: this.cookiesOf(host), origin };
    const answer = await this.#ask({ method, url: path, headers, ...(payload && { payload }) });
    this.#keep(host, [answer.headers['set-cookie'] ?? []].flat());
    return answer;
  }

  /** Opens an address and follows redirects up to a page of the service, or `until`. Returns the last address. */
  async open(address: string, until?: (url: URL) => boolean): Promise<URL> {
    let url = new URL(address, this.#address);
    for (let hops = 0; hops < MAX_REDIRECTS; hops++) {
      this.visited.push(url.href);
      if (until?.(url) === true) return url;
      const location = await this.#visit(url);
      if (location === undefined) return url;
      url = new URL(location, url);
    }
    throw new Error('too many redirects');
  }

  async #visit(url: URL): Promise<string | undefined> {
    const headers = { cookie: this.cookiesOf(url.host) };
    if (url.origin === new URL(this.#address).origin) {
      const answer = await this.#ask({ url: url.pathname + url.search, headers });
      this.#keep(url.host, [answer.headers['set-cookie'] ?? []].flat());
      return answer.headers.location;
    }
    const answer = await fetch(url, { headers, redirect: 'manual' });
    this.#keep(url.host, answer.headers.getSetCookie());
    return answer.headers.get('location') ?? undefined;
  }

  #jar(host: string): Map<string, string> {
    const jar = this.#jars.get(host) ?? new Map<string, string>();
    this.#jars.set(host, jar);
    return jar;
  }

  #keep(host: string, cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (/Max-Age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) this.#jar(host).delete(name!);
      else this.#jar(host).set(name!, value!);
    }
  }
}
