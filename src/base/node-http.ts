/**
 * The used exports of `node:http`. The module is not imported, since an import takes all that it exports, its WebSocket client
 * included: 4 MB more in each thread.
 */
export const { Agent, createServer, IncomingMessage, request, STATUS_CODES } =
  process.getBuiltinModule('node:http');
