/** Parses a log line; undefined for the last, possibly incomplete line of a killed program. */
export function parseLogLine<Line>(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
