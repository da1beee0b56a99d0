import type { FastifyReply } from 'fastify';

/** 204, which has neither a body nor a type. */
export function noContent(reply: FastifyReply): string {
  reply.code(204).removeHeader('content-type');
  return '';
}
