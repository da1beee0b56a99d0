import type { Activation, CatalogueVersion, VersionFacts } from './catalogue-version.ts';

export interface ListedVersion extends VersionFacts {
  readonly isActive: boolean;
}

/**
 * The published catalogues of a cluster, and which of them is active.
 *
 * Promises: a version is there for all nodes with `add`, or not at all, and never changes. One is active at a time,
 * for all nodes; two changes at once take place one after the other. The active one, and the one that a roll-back
 * would bring back, are never removed. Nodes that listen hear of an activation when it is committed.
 */
export interface CatalogueVersions {
  /** The one that was published last first. */
  list(): Promise<readonly ListedVersion[]>;
  find(name: string): Promise<CatalogueVersion | undefined>;
  /** Nothing happens where the name is taken; then it answers false. */
  add(version: CatalogueVersion): Promise<boolean>;
  /** Undefined where none was ever activated. */
  findActive(): Promise<Activation | undefined>;
  /** Nothing happens where it is active already. Undefined where no version has this name. */
  activate(name: string): Promise<Activation | undefined>;
  /**
   * Activates the version that was active before the active one; once more, the one before that. Undefined where
   * there is none.
   */
  rollBack(): Promise<Activation | undefined>;
  /** Removes all but the `kept` that were published last, and those that are never removed; answers their names. */
  removeOld(kept: number): Promise<readonly string[]>;
}
