import { createServer } from 'node:http';

/** What a program on node:http could at best do: it answers bytes that it was given, and looks at nothing. */
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
