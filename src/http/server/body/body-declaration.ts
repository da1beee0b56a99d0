import type { z } from 'zod';

export interface JsonBody<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** What the document says of the body instead, where `schema` takes more than it describes. */
  readonly described?: z.ZodType;
  /** Absent only where the operation is no part of the API. */
  readonly example?: unknown;
  /**
   * The longest body in bytes, see `BODY_LIMITS`. `one` and `many`: of a body that is not an array, and of one that is. The
   * first byte tells them apart.
   */
  readonly limit: number | { readonly one: number; readonly many: number };
  /** The request may come without a body, which is then read as `{}`. */
  readonly optional?: true;
  /** The body may also come as a form. */
  readonly form?: true;
  /** The body may also come as `application/ld+json`, which the document describes so. */
  readonly jsonLd?: { readonly schema: z.ZodType; readonly example: unknown };
}

/** `raw`: of any type and length; the handler reads the bytes. */
export type BodyDeclaration = JsonBody | 'raw';
