import { createServer } from 'node:http';

/** The minimum for a program on node:http: it returns given bytes and reads nothing. */
const { body, headers } = JSON.parse(process.argv[2]!) as {
  body: string;
  headers: Record<string, string>;
};
const bytes = Buffer.from(body);
const server = createServer((_request, response) => {
  response.writeHead(200, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
});
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  console.log((server.address() as { port: number }).port);
});
