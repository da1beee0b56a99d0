import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { operation } from '../../api/operation.ts';
import { prefersHtml } from '../server/connection/accept-headers.ts';
import { PLAIN_PAGE_HEADERS, plainPage } from '../server/plain-page.ts';
import { type PagePorts, pageDocument } from './page.ts';

const PATHS = {
  documentation: '/docs',
  openapi: '/openapi.json',
  unversionedOpenapi: '/openapi-unversioned.json',
  health: '/healthz',
  readiness: '/readyz',
  foods: '/v1/foods/search?q=banana',
};

function linksUnder(basePath: string): typeof PATHS {
  const links = Object.entries(PATHS).map(([name, path]) => [name, basePath + path]);
  return Object.fromEntries(links);
}

export const frontPageSchema = z
  .object({
    name: z.literal('larder'),
    version: z.string(),
    description: z.string(),
    links: z.record(z.string(), z.string()).describe('Paths on this address.'),
  })
  .meta({ id: 'FrontPage' });

function toObject(basePath: string): z.infer<typeof frontPageSchema> {
  return {
    name: 'larder',
    version: packageJson.version,
    description: 'Food search, barcodes, photo scans and a diary.',
    links: linksUnder(basePath),
  };
}

/** The address comes from the Host header, so it is escaped. */
function toPage(baseUrl: string, basePath: string): string {
  const links = linksUnder(basePath);
  const address = baseUrl.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return plainPage(
    'Larder',
    `    <h1>Larder</h1>
    <p>This is a nutrition service: food search, barcodes, photo scans and a diary. Version ${packageJson.version}.</p>
    <ul>
      <li><a href="${links.documentation}">API documentation</a></li>
      <li><a href="${links.openapi}">OpenAPI document</a></li>
      <li><a href="${links.unversionedOpenapi}">OpenAPI document of the unversioned paths</a></li>
      <li><a href="${links.readiness}">Is it ready?</a></li>
    </ul>
    <h2>Next steps</h2>
    <p>Apps use this address and an API key. The first key was made at the first start: the log names its file. Make others in
      the folder of Larder:</p>
    <pre>npx larder key create --tenant default --name "my app" --scopes foods:read,diary:read,diary:write</pre>
    <p>Search for a food, with a key in <code>KEY</code>:</p>
    <pre>curl -H "Authorization: Bearer $KEY" "${address}${PATHS.foods}"</pre>`,
  );
}

/** Describes the service to a program or a person who opens the address. */
export const getFrontPage = operation({
  method: 'GET',
  path: '/',
  id: 'getFrontPage',
  tag: 'Operations',
  summary: 'Describe this service',
  description: 'JSON, or a page for browsers (`Accept: text/html`).',
  access: 'public',
  counts: 'health',
  // Links to the page may have parameters of other systems, such as campaigns.
  query: z.looseObject({}),
  headers: z.object({ Accept: z.string().optional(), 'Accept-Encoding': z.string().optional() }),
  answer: {
    description: 'Name, version and the paths to begin with.',
    schema: frontPageSchema,
    example: toObject(''),
    alsoAs: { 'text/html': '<!doctype html>…' },
  },
  handle: async ({ headers, baseUrl, basePath }, ports: PagePorts) => {
    if (!prefersHtml(headers.Accept)) {
      return { headers: { vary: 'accept' }, body: JSON.stringify(toObject(basePath)) };
    }
    const page = await pageDocument(ports, headers['Accept-Encoding'], 'index.html');
    if (page !== undefined) return { ...page, headers: { ...page.headers, vary: 'accept, accept-encoding' } };
    return { headers: PLAIN_PAGE_HEADERS, body: toPage(baseUrl, basePath) };
  },
});
