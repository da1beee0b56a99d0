import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';

// The entry of a thread that posts the script of the reference page and ends. Loading its 4 MB takes 0.2 s,
// in which an API thread could not answer requests. The script is compressed for all clients, because only
// browsers read it: otherwise the kernel would buffer 4 MB for each client that requests it and does not
// read.

/** A route as the plugin declares it. */
interface PluginRoute {
  readonly url: string;
  readonly handler: (
    request: unknown,
    reply: { header: () => unknown; send: (body: string) => void },
  ) => unknown;
}

// Linux sets the priority of the calling thread alone, other systems that of the process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

// The script is inside a package whose only public form is a Fastify plugin; other packages load it from
// another server, or include a browser framework. So the plugin gets an object that collects its routes, and
// the route of the script is called.
const routes: PluginRoute[] = [];
const host = { route: (route: PluginRoute) => routes.push(route) };
const { default: plugin } = await import('@scalar/fastify-api-reference');
const options = { routePrefix: '/', configuration: { url: '/openapi.json' } };
plugin(host as never, options as never, () => {
  const send = (script: string) => parentPort!.postMessage(gzipSync(script));
  const reply = { header: () => reply, send };
  routes.find(({ url }) => url.endsWith('.js'))!.handler({}, reply);
});
