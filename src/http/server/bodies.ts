import type { FastifyReply } from 'fastify';

export { readBody } from './validation.ts';

/** A JSON array of items that `toJson` writes. */
export function jsonList<T>(items: readonly T[], toJson: (item: T) => string): string {
  let list = '[';
  for (let i = 0; i < items.length; i++) list += i === 0 ? toJson(items[i]!) : `,${toJson(items[i]!)}`;
  return `${list}]`;
}

/** 204, which has neither a body nor a type. */
export function noContent(reply: FastifyReply): string {
  reply.code(204).removeHeader('content-type');
  return '';
}
