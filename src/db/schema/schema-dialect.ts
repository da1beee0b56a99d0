export type SchemaDialect = 'sqlite' | 'postgres';

/** Translates the types of columns. */
export function forDialect(dialect: SchemaDialect, text: string): string {
  if (dialect === 'postgres') return text;
  return text
    .replaceAll(' collate "C"', '')
    .replaceAll('bigint', 'integer')
    .replaceAll('double precision', 'real')
    .replaceAll('bytea', 'blob');
}
