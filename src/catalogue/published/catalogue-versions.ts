import type { Activation, CatalogueVersion, VersionFacts } from './published-versions.ts';

export interface ListedVersion extends VersionFacts {
  readonly isActive: boolean;
}

/**
 * The published catalogues of a cluster, and which of them is active.
 *
 * Promises: `add` makes a version available to all nodes as a whole or not at all, and it never changes. One version is
 * active at a time, for all nodes; concurrent changes take place one after the other. The active version, and the one
 * that a roll-back would bring back, are never removed. Nodes that listen hear of an activation when it is committed.
 */
export interface CatalogueVersions {
  /** The one that was published last first. */
  list(): Promise<readonly ListedVersion[]>;
  find(name: string): Promise<CatalogueVersion | undefined>;
  /** Does nothing and answers false where the name is taken. */
  add(version: CatalogueVersion): Promise<boolean>;
  /** Undefined where none was ever activated. */
  findActive(): Promise<Activation | undefined>;
  /** Does nothing where the version is active already. Undefined where no version has this name. */
  activate(name: string): Promise<Activation | undefined>;
  /**
   * Activates the version that was active before the active one; once more, the one before that. Undefined where
   * there is none.
   */
  rollBack(): Promise<Activation | undefined>;
  /** Removes all but the `kept` that were published last, and those that are never removed; answers their names. */
  removeOld(kept: number): Promise<readonly string[]>;
}
