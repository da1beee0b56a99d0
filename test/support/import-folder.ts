import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCatalogueStore } from '../../src/app/catalogue-store.ts';
import { readConfig } from '../../src/config/config.ts';
import type { ImportReportJson } from '../../src/foods/import/import-report.ts';
import { runLarder } from './run-larder.ts';
import { tempFolder } from './temp-folder.ts';

export type PrintedImport = ImportReportJson & { catalogue: { name: string; foods: number; inUse: boolean } };

/** A temporary folder with files to import and, in `data`, their data folder. */
export class ImportFolder implements Disposable {
  readonly #temp = tempFolder();
  readonly path = this.#temp.path;
  readonly env: Record<string, string> = { LARDER_DATA_DIR: join(this.path, 'data') };

  write(name: string, content: string | Buffer): string {
    const file = join(this.path, name);
    writeFileSync(file, content);
    return file;
  }

  /** Runs `larder import off` and checks that its report adds up. */
  async importOff(...words: string[]): Promise<PrintedImport> {
    const report = JSON.parse(
      await runLarder(this.env, 'import', 'off', ...words, '--json'),
    ) as PrintedImport;
    const { read, kept, merged, known, skipped, broken } = report;
    if (read !== kept + merged.count + known.count + skipped.count + broken.count)
      throw new Error(`the report does not add up: ${JSON.stringify(report)}`);
    return report;
  }

  /** Imports without the starter foods, for smaller counts. */
  importAlone(...words: string[]): Promise<PrintedImport> {
    return this.importOff(...words, '--no-starter');
  }

  /** Name of the catalogue in use. */
  current(): Promise<string | undefined> {
    return openCatalogueStore(readConfig(this.env)).current();
  }

  [Symbol.dispose](): void {
    this.#temp[Symbol.dispose]();
  }
}
