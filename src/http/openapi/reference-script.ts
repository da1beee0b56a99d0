import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import plugin from '@scalar/fastify-api-reference';

// The entry of a thread that posts the script of the reference page and ends. Loading its 4 MB takes 0.2 s, in which an API
// thread would answer nobody. Compressed for everybody, browsers being its only readers: the kernel would take all 4 MB for
// each client that asks and does not read.

/** A route as the plugin declares it. */
interface PluginRoute {
  readonly url: string;
  readonly handler: (
    request: unknown,
    reply: { header: () => unknown; send: (body: string) => void },
  ) => unknown;
}

// The script lies inside a package whose only public form is a Fastify plugin; its other packages load it from elsewhere, or
// bring a browser's framework along. So the plugin is given something that takes its routes, and the one of the script is
// called.
const routes: PluginRoute[] = [];
const host = { route: (route: PluginRoute) => routes.push(route) };
const options = { routePrefix: '/', configuration: { url: '/openapi.json' } };
plugin(host as never, options as never, () => {
  const send = (script: string) => parentPort!.postMessage(gzipSync(script));
  const reply = { header: () => reply, send };
  routes.find(({ url }) => url.endsWith('.js'))!.handler({}, reply);
});
