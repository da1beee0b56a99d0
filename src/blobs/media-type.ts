/** Names that clients use for registered types. */
const REGISTERED: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
};

/** Returns the type of a Content-Type in lower case without parameters. It is case-insensitive (RFC 9110, 8.3.1). */
export function mediaType(text: string): string {
  const type = text.split(';', 1)[0]!.trim().toLowerCase();
  return REGISTERED[type] ?? type;
}
