import { SqliteDiaryStore } from '../../src/storage/sqlite/diary-store.ts';
import { DiaryWriter } from '../../src/storage/sqlite/writer.ts';
import { DiaryWriteClient } from '../../src/storage/sqlite/writer-client.ts';
import { newEntry } from './diary-entries.ts';

// A program of its own: writes as fast as it can, single entries and batches, and prints the ids of each write once
// it has been answered. It goes on until it is killed.
const WRITERS = 20;
const file = process.argv[2]!;
const writer = await DiaryWriter.start({
  file,
  onFailure: (cause) => {
    throw cause;
  },
});
const store = SqliteDiaryStore.open({ file, writer: new DiaryWriteClient({ port: writer.connect() }) });

for (let number = 0; number < WRITERS; number++) void writeOn(number);

async function writeOn(number: number): Promise<never> {
  for (;;) {
    const batch = Array.from({ length: number % 2 === 0 ? 1 : 5 }, () => newEntry());
    await store.addEntries({ tenant: 'acme', userId: `user-${number}` }, batch);
    process.stdout.write(`${batch.map(({ id }) => id).join(' ')}\n`);
  }
}
