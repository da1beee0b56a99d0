import type { ChangeHints } from '../../src/db/change-hints.ts';
import type { Write, Writer } from '../../src/db/writer.ts';

/** Raises hints as the writer of a service does. */
export function hintingWriter(writer: Writer, hints: Pick<ChangeHints, 'raise'>): Writer {
  return {
    async write<Row>(write: Write) {
      const written = await writer.write<Row>(write);
      if (write.change !== undefined) hints.raise(write.change);
      return written;
    },
  };
}
