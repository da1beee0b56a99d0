import type { ActiveCatalogueWatch } from '../compile/catalogue-store-types.ts';

/** Switches the process to the catalogue of this name. Resolves with undefined, or with the reason why it could not. */
export type TakeCatalogue = (name: string) => Promise<string | undefined>;

/** Where a process learns which catalogue to answer from. */
export interface CatalogueSource {
  /** Undefined where there is none. */
  current(): Promise<string | undefined>;
  /** Where the file of a catalogue lies, to be read. */
  pathOf(name: string): string;
  /** Hands over the one to answer from where it is another than the `known` one by now, and each further one. */
  watch(known: string, take: TakeCatalogue): ActiveCatalogueWatch;
}
