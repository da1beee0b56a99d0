/**
 * A message in which files of the data folder have only their names, since a client is not told where the
 * service keeps them. `dataDir` is absolute.
 */
export function withoutFolders(message: string, dataDir: string): string {
  const folder = dataDir.replace(/[/\\]+$/, '').replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  if (folder === '') return message;
  const files = new RegExp(`${folder}[/\\\\](?:[^\\s/\\\\"']+[/\\\\])*(?=[^\\s/\\\\"'])`, 'g');
  const itself = new RegExp(`${folder}[/\\\\]?(?![\\w-])`, 'g');
  return message.replaceAll(files, '').replaceAll(itself, 'the data folder');
}
