import { AppError, ConstraintError } from '@larder/core/errors.ts';
import {
  createIds,
  findUnderId,
  type IdSource,
  type RandomBytes,
  recordIdsOf,
} from '../base/time-ordered-id.ts';
import { versionConflict, wasDeleted } from './diary-errors.ts';
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

/** Maximum attempts at creating one that another request creates or deletes concurrently. */
const MAX_CREATE_ATTEMPTS = 5;

export interface MeasurementInput {
  /** Chosen by the client. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly value: number;
  readonly unit: MeasurementUnit;
  /** The time of the request if absent. */
  readonly time?: string | undefined;
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
    const chosen = input.id === undefined ? undefined : recordIdsOf(input.id)[0];
    if (chosen !== undefined) return this.#createChosen(owner, input, chosen, ids);
    const { store, nowMs, randomBytes } = this.#options;
    const id = createIds(1, ids?.timeMs ?? nowMs(), ids?.randomBytes ?? randomBytes)[0]!;
    const created = ids?.mayExist === true ? await store.measurements.find(owner, id) : undefined;
    if (created !== undefined) return { measurement: created, isNew: true };
    const measurement = this.#make(input, id);
    // A measurement that was deleted after the first execution is returned as created, and remains deleted.
    if (ids?.isDone !== true) await store.measurements.add(owner, [measurement], ids?.request);
    return { measurement, isNew: true };
  }

  async #createChosen(owner: DiaryOwner, input: MeasurementInput, id: string, ids?: IdSource) {
    const { measurements } = this.#options.store;
    for (let attempt = 1; ; attempt++) {
      const found = await findUnderId(id, (each) => measurements.find(owner, each));
      if (found !== undefined) return { measurement: found, isNew: false };
      for (const each of recordIdsOf(id)) if (await measurements.wasDeleted(owner, each)) throw wasDeleted();
      const measurement = this.#make(input, id);
      try {
        await measurements.add(owner, [measurement], ids?.request, measurement.createdAt);
        return { measurement, isNew: true };
      } catch (error) {
        // Another request has just added or deleted it.
        if (!(error instanceof ConstraintError) || attempt === MAX_CREATE_ATTEMPTS) throw error;
      }
    }
  }

  #make({ name, value, unit, time }: MeasurementInput, id: string): Measurement {
    const now = this.#options.nowMs();
    return {
      id,
      version: 1,
      name: parseMeasurementName(name),
      value: parseMeasured(value),
      unit,
      time: time === undefined ? new Date(now).toISOString() : parseMeasurementTime(time),
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
    { name, value, unit, time }: MeasurementChange,
    version?: number,
  ): Promise<Measurement> {
    const found = await this.get(owner, id);
    if (version !== undefined && found.version !== version) throw versionConflict();
    const next: Measurement = {
      ...found,
      ...(name !== undefined && { name: parseMeasurementName(name) }),
      ...(value !== undefined && { value: parseMeasured(value) }),
      ...(unit !== undefined && { unit }),
      ...(time !== undefined && { time: parseMeasurementTime(time) }),
      version: found.version + 1,
      updatedAt: Math.max(this.#options.nowMs(), found.updatedAt),
    };
    const outcome = await this.#options.store.measurements.replace(owner, next);
    if (outcome === 'missing') throw measurementNotFound();
    if (outcome === 'conflict') throw versionConflict();
    return next;
  }

  async remove(owner: DiaryOwner, id: string, version?: number): Promise<void> {
    const { measurements } = this.#options.store;
    const outcome = await findUnderId(id, async (known) => {
      const removed = await measurements.remove(owner, known, version);
      return removed === 'missing' ? undefined : removed;
    });
    if (outcome === undefined) throw measurementNotFound();
    if (outcome === 'conflict') throw versionConflict();
  }
}

function measurementNotFound(): AppError {
  return new AppError({ code: 'measurement_not_found', message: 'There is no measurement with this id.' });
}
