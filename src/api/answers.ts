import { z } from 'zod';
import type { AnswerDeclaration } from './operation.ts';
import { WHAT_KNOWN_IDS_ANSWER } from './text-schemas.ts';

// Declarations of the answers that many operations have.

/** A list, with the address of its next page. */
export function listAnswer(description: string, schema: z.ZodType, ...example: unknown[]): AnswerDeclaration {
  return { description, headers: ['Link'], schema: z.array(schema), example };
}

/** A record with its version. */
export function recordAnswer(description: string, schema: z.ZodType, example: unknown): AnswerDeclaration {
  return { description, headers: ['ETag'], schema, example };
}

/** A new record, or the one that has the id that the client chose. */
export function newRecordAnswer(description: string, schema: z.ZodType, example: unknown): AnswerDeclaration {
  const headers = ['ETag', 'Location'] as const;
  return { status: 201, known: WHAT_KNOWN_IDS_ANSWER, description, headers, schema, example };
}
