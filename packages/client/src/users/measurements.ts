import type {
  ListMeasurementsData,
  Measurement,
  MeasurementInput,
  MeasurementPatch,
} from '../generated/types.gen.ts';
import { List } from '../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../http/options.ts';
import { path } from '../http/path.ts';
import type { Transport } from '../http/transport.ts';

export type MeasurementListQuery = NonNullable<ListMeasurementsData['query']>;

/** Measurements of a user, such as the weight. */
export class Measurements {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, userPath: string) {
    this.#transport = transport;
    this.#path = `${userPath}/measurements`;
  }

  add(measurement: MeasurementInput, options?: CreateOptions): Promise<Measurement> {
    return this.#transport.json('POST', this.#path, options, { body: measurement });
  }

  /** The newest first. */
  list(query: MeasurementListQuery = {}, options?: CallOptions): List<Measurement> {
    return new List(this.#transport, { path: this.#path, options }, query);
  }

  get(id: string, options?: CallOptions): Promise<Measurement> {
    return this.#transport.json('GET', this.#at(id), options);
  }

  /** Changes the given fields. */
  change(id: string, patch: MeasurementPatch, options?: ChangeOptions): Promise<Measurement> {
    return this.#transport.json('PATCH', this.#at(id), options, { body: patch });
  }

  remove(id: string, options?: ChangeOptions): Promise<void> {
    return this.#transport.json('DELETE', this.#at(id), options);
  }

  #at(id: string): string {
    return this.#path + path`/${id}`;
  }
}
