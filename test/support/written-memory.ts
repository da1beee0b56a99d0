// A program: writes 60 MiB into a new database, and prints by how many MiB its anonymous memory grew.
import { readFileSync } from 'node:fs';
import { openDatabase } from '../../src/db/sqlite/database.ts';
import { DatabaseWriter } from '../../src/db/sqlite/writer.ts';
import { WriterClient } from '../../src/db/sqlite/writer-client.ts';

const WRITES = 60;
/** A MiB of rows that fill a page each. */
const ROWS = `select randomblob(4000) from json_each(json_array(${Array(256).fill(1)}))`;

const file = process.argv[2]!;
await (await openDatabase({ file })).close();
const writer = await DatabaseWriter.start({
  file,
  onFailure(cause) {
    throw cause;
  },
});
const client = new WriterClient({ port: writer.connect() });
const run = (sql: string) => client.write({ statements: [{ sql, runs: [[]] }] });
const anonymousMib = () =>
  Number(/^RssAnon:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024;

await run('create table notes (bytes)');
const before = anonymousMib();
for (let written = 0; written < WRITES; written++) await run(`insert into notes ${ROWS}`);
process.stdout.write(String(anonymousMib() - before));
client.close();
await writer.close();
