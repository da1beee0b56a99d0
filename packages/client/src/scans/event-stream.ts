/** A message of a stream (Server-Sent Events). */
export interface StreamMessage {
  readonly id: string | undefined;
  readonly data: string;
}

/** Maximum length of a message; those of the service have some kilobytes. */
const MAX_MESSAGE_LENGTH = 4 * 2 ** 20;

/**
 * Reads the messages of a stream. `onBytes` is called for all received bytes, including comments. A message
 * that is cut off by the end of the stream is dropped, as the standard requires.
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamMessage, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop()!;
      if (rest.length > MAX_MESSAGE_LENGTH) throw new Error('A message of the stream is too long.');
      for (const block of blocks) {
        const message = parse(block);
        if (message !== undefined) yield message;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Undefined for a block without data, such as a heartbeat. */
function parse(block: string): StreamMessage | undefined {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const value = line.slice(line.indexOf(':') + 1).replace(/^ /, '');
    if (line.startsWith('data:')) data.push(value);
    if (line.startsWith('id:')) id = value;
  }
  return data.length === 0 ? undefined : { id, data: data.join('\n') };
}
