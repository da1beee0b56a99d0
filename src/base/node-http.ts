/**
 * The used exports of `node:http`. The module is not imported, because an import evaluates all exports,
 * including the WebSocket client: 4 MB more in each thread.
 */
export const { Agent, createServer, IncomingMessage, request, STATUS_CODES } =
  process.getBuiltinModule('node:http');
