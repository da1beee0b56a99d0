/** The path of a request to an operation, made of its parameters. */
export function filledPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(params[name]!));
}
