import { SQLITE } from '../../src/db/dialect.ts';
import { ThreadReads } from '../../src/db/sqlite/reads.ts';
import { DatabaseWriter } from '../../src/db/sqlite/writer.ts';
import { WriterClient } from '../../src/db/sqlite/writer-client.ts';
import { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { newEntry } from './diary-entries.ts';

// A separate program that writes as fast as it can, single entries and batches, and prints the ids of each confirmed
// write, until it is killed.
const WRITERS = 20;
const file = process.argv[2]!;
const writer = await DatabaseWriter.start({
  file,
  onFailure: (cause) => {
    throw cause;
  },
});
const store = new DiaryStore({
  dialect: SQLITE,
  db: ThreadReads.open({ file }),
  writer: new WriterClient({ port: writer.connect() }),
});

for (let number = 0; number < WRITERS; number++) void writeOn(number);

async function writeOn(number: number): Promise<never> {
  for (;;) {
    const batch = Array.from({ length: number % 2 === 0 ? 1 : 5 }, () => newEntry());
    await store.addEntries({ tenant: 'acme', userId: `user-${number}` }, batch);
    process.stdout.write(`${batch.map(({ id }) => id).join(' ')}\n`);
  }
}
