import type { z } from 'zod';

/** One row of the table of settings. */
export interface Setting<T> {
  /** Name of the environment variable. */
  readonly name: `LARDER_${string}`;
  readonly schema: z.ZodType<T, string>;
  /** The text used if nothing is given; undefined for no value. */
  readonly fallback: string | undefined;
  readonly meaning: string;
  /** The group cannot be used without this setting. */
  readonly isRequired?: true;
}

/**
 * Settings by the field of `Config` that holds their value. Values under `secrets` are never shown, not even in errors.
 */
export interface SettingTable {
  readonly [field: string]: Setting<unknown> | SettingTable;
}

/** The values of a table. */
export type Values<T> = T extends Setting<infer V> ? V : { readonly [Field in keyof T]: Values<T[Field]> };

type Name = Setting<unknown>['name'];
type Schema<T> = z.ZodType<T, string>;

export function setting<T>(name: Name, schema: Schema<T>, fallback: string, meaning: string): Setting<T> {
  return { name, schema, fallback, meaning };
}

/** A setting without a default: its value is undefined unless given. */
export function optional<T>(name: Name, schema: Schema<T>, meaning: string): Setting<T | undefined> {
  return { name, schema, fallback: undefined, meaning };
}

export function required<T>(name: Name, schema: Schema<T>, meaning: string): Setting<T> {
  return { name, schema, fallback: undefined, meaning, isRequired: true };
}

export function settingsOf(table: SettingTable): Setting<unknown>[] {
  return Object.values(table).flatMap((row) => (isSetting(row) ? [row] : settingsOf(row)));
}

export function isSetting(row: Setting<unknown> | SettingTable): row is Setting<unknown> {
  return typeof row.name === 'string';
}
