import { AppError } from '@larder/core/errors.ts';
import { findUnderId, type IdSource, type RandomBytes, recordIdsOf } from '../base/time-ordered-id.ts';
import { createOnce, removeUnderId, requireDone } from './create-once.ts';
import { versionConflict } from './diary-errors.ts';
import type { DiaryOwner } from './records/entry.ts';
import {
  type Measurement,
  type MeasurementUnit,
  parseMeasured,
  parseMeasurementName,
  parseMeasurementTime,
} from './records/measurement.ts';
import type { DiaryStore } from './store/diary-store.ts';
import type { MeasurementPage } from './store/measurement-store.ts';

export interface MeasurementInput {
  /** Chosen by the client. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly value: number;
  readonly unit: MeasurementUnit;
  /** The time of the request if absent. */
  readonly measuredAt?: string | undefined;
}

export type MeasurementChange = {
  readonly [key in keyof Omit<MeasurementInput, 'id'>]?: MeasurementInput[key] | undefined;
};

export interface MeasurementBookOptions {
  readonly store: DiaryStore;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/** The measurements of users, such as their weight. */
export class MeasurementBook {
  readonly #options: MeasurementBookOptions;

  constructor(options: MeasurementBookOptions) {
    this.#options = options;
  }

  /** Creates a measurement, or returns the one that exists under `ids` or has the id that its client chose. */
  async create(
    owner: DiaryOwner,
    input: MeasurementInput,
    ids?: IdSource,
  ): Promise<{ readonly measurement: Measurement; readonly isNew: boolean }> {
    const { store, nowMs, randomBytes } = this.#options;
    const { measurements } = store;
    const { record, isNew } = await createOnce(
      { chosen: input.id, ids, nowMs, randomBytes },
      {
        find: (id) => measurements.find(owner, id),
        wasDeleted: (id) => measurements.wasDeleted(owner, id),
        make: (id) => this.#make(input, id),
        add: (measurement, request, chosenAtMs) =>
          measurements.add(owner, [measurement], request, chosenAtMs),
      },
    );
    return { measurement: record, isNew };
  }

  #make({ name, value, unit, measuredAt }: MeasurementInput, id: string): Measurement {
    const now = this.#options.nowMs();
    return {
      id,
      version: 1,
      name: parseMeasurementName(name),
      value: parseMeasured(value),
      unit,
      measuredAt: measuredAt === undefined ? new Date(now).toISOString() : parseMeasurementTime(measuredAt),
      createdAt: now,
      updatedAt: now,
    };
  }

  async get(owner: DiaryOwner, id: string): Promise<Measurement> {
    const found = await findUnderId(id, (known) => this.#options.store.measurements.find(owner, known));
    if (found === undefined) throw measurementNotFound();
    return found;
  }

  list(owner: DiaryOwner, page: MeasurementPage): Promise<Measurement[]> {
    return this.#options.store.measurements.list(owner, page);
  }

  listById(
    owner: DiaryOwner,
    page: { readonly after: string; readonly limit: number },
  ): Promise<Measurement[]> {
    return this.#options.store.measurements.listById(owner, page);
  }

  /** Changes the newest version if `version` is absent; a concurrent change is a conflict in either case. */
  async change(
    owner: DiaryOwner,
    id: string,
    { name, value, unit, measuredAt }: MeasurementChange,
    version?: number,
  ): Promise<Measurement> {
    const found = await this.get(owner, id);
    if (version !== undefined && found.version !== version) throw versionConflict();
    const next: Measurement = {
      ...found,
      ...(name !== undefined && { name: parseMeasurementName(name) }),
      ...(value !== undefined && { value: parseMeasured(value) }),
      ...(unit !== undefined && { unit }),
      ...(measuredAt !== undefined && { measuredAt: parseMeasurementTime(measuredAt) }),
      version: found.version + 1,
      updatedAt: Math.max(this.#options.nowMs(), found.updatedAt),
    };
    requireDone(await this.#options.store.measurements.replace(owner, next), measurementNotFound);
    return next;
  }

  async remove(owner: DiaryOwner, id: string, version?: number): Promise<void> {
    const { measurements } = this.#options.store;
    await removeUnderId(
      recordIdsOf(id),
      (known) => measurements.remove(owner, known, version),
      measurementNotFound,
    );
  }
}

function measurementNotFound(): AppError {
  return new AppError({ code: 'measurement_not_found', message: 'There is no measurement with this id.' });
}
