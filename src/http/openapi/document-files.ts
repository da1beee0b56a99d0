/**
 * The OpenAPI documents by variant of the API: files in the folder of the project, which the service serves under
 * these names.
 */
export const DOCUMENT_FILES = {
  versioned: 'openapi.json',
  unversioned: 'openapi-unversioned.json',
} as const;

export type ApiVariant = keyof typeof DOCUMENT_FILES;
