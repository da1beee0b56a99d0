/** A line of the log of a program; undefined for the last one of a program that was killed, which may be half of one. */
export function parseLogLine<Line>(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
