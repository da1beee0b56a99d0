/** Returns the path of a request to an operation, with its parameters filled in. */
export function filledPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(params[name]!));
}
