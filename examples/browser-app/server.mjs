// Serves the page and makes tokens for it. The key stays here.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Larder } from 'larder-client';

const { LARDER: url, KEY: key, PORT: port = '5173' } = process.env;
const larder = new Larder({ url, key });
const client = new URL('.', import.meta.resolve('larder-client')).href;

createServer(async ({ method, url: path }, response) => {
  try {
    if (method === 'POST' && path === '/token') {
      // Your sign-in knows the user. Never take the id from the page.
      const userId = 'ann';
      const scope = 'foods:read scan diary:read diary:write';
      const { access_token: token } = await larder.tokens.create({ userId, scope });
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ url, userId, token }));
      return;
    }
    const file = new URL(
      path.startsWith('/client/') ? path.replace('/client/', client) : 'index.html',
      import.meta.url,
    );
    const isOurs = file.href.startsWith(client) || path === '/';
    const content = isOurs ? await readFile(file) : undefined;
    response.setHeader('content-type', path === '/' ? 'text/html' : 'text/javascript');
    response.writeHead(isOurs ? 200 : 404).end(content);
  } catch (error) {
    response.writeHead(502).end(error.message);
  }
}).listen(Number(port), '127.0.0.1', () => process.stdout.write(`Open http://127.0.0.1:${port}\n`));
