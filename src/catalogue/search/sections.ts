export type SectionArray = Uint8Array | Uint16Array | Uint32Array;

/** The whole index as named arrays: what a catalogue stores, and what `SearchIndex.open` reads in place. */
export type SearchSections = Readonly<Record<string, SectionArray>>;
