import { type Queries, sql } from '../../db/sql.ts';
import { type Statement, toStatement, type Writer } from '../../db/writer.ts';
import type { DiaryOwner } from '../records/entry.ts';
import { isOwned } from './store-writes.ts';

/** Maximum photos that are kept of each food, and of each user; the newest stay. */
export const PHOTO_LIMITS = { ofFood: 5, ofUser: 5_000 };

/** A photo on which a food was confirmed: its vector, food and date. */
export interface KeptPhoto {
  /** The id of the diary entry: the photo goes with it. */
  readonly id: string;
  /** That of the food, or of a recipe as a food. */
  readonly foodId: string;
  readonly date: string;
  /** The version of the network that the vector comes from. */
  readonly network: string;
  /** Signed bytes. */
  readonly vector: Uint8Array;
}

interface PhotoRow {
  readonly id: string;
  readonly food_id: string;
  readonly date: string;
  readonly network: string;
  readonly vector: Uint8Array;
}

/**
 * Adds a photo and removes what exceeds a limit by it. The statements run after the first one of a write, and none reads what another one
 * changes.
 */
export function keepPhoto(owner: DiaryOwner, { id, foodId, date, network, vector }: KeptPhoto): Statement[] {
  const { tenant, userId } = owner;
  const owned = sql`remembered_photos where ${isOwned(owner)}`;
  const oldOfUser = sql`
    id <= (select id from ${owned} order by id desc limit 1 offset ${PHOTO_LIMITS.ofUser - 1})`;
  const oldOfFood = sql`
    id <= (
      select id from ${owned} and food_id = ${foodId} order by id desc limit 1 offset ${PHOTO_LIMITS.ofFood - 1})`;
  const tooManyOfFood = sql`delete from ${owned} and food_id = ${foodId} and (${oldOfFood} or ${oldOfUser})`;
  const tooManyOfUser = sql`delete from ${owned} and food_id <> ${foodId} and ${oldOfUser}`;
  const adding = sql`
    insert into remembered_photos (tenant_id, user_id, id, food_id, date, network, vector)
    select ${tenant}, ${userId}, ${id}, ${foodId}, ${date}, ${network}, ${vector} where true`;
  return [
    toStatement(tooManyOfFood.prepared('trim-photos-of-food')),
    toStatement(tooManyOfUser.prepared('trim-photos')),
    toStatement(adding.prepared('keep-photo')),
  ];
}

export function forgetPhoto(owner: DiaryOwner, id: string): Statement {
  return toStatement(
    sql`delete from remembered_photos where ${isOwned(owner)} and id = ${id}`.prepared('forget-photo'),
  );
}

/** Stores what is kept of photos on which foods were confirmed. */
export class RememberedPhotoStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: { readonly db: Queries; readonly writer: Writer }) {
    this.#db = db;
    this.#writer = writer;
  }

  /** The newest first. */
  async listLatest(owner: DiaryOwner, limit: number): Promise<KeptPhoto[]> {
    const query = sql<PhotoRow>`
      select id, food_id, date, network, vector from remembered_photos
      where ${isOwned(owner)} order by id desc limit ${limit}`;
    return (await query.prepared('list-latest-photos').all(this.#db)).map(toPhoto);
  }

  /** Ordered by ids. */
  async list(owner: DiaryOwner, { after, limit }: { after: string; limit: number }): Promise<KeptPhoto[]> {
    const query = sql<PhotoRow>`
      select id, food_id, date, network, vector from remembered_photos
      where ${isOwned(owner)} and id > ${after} order by id limit ${limit}`;
    return (await query.prepared('list-photos').all(this.#db)).map(toPhoto);
  }

  /** Removes those of other networks, whose vectors say nothing to this one. */
  async dropOthers(owner: DiaryOwner, network: string): Promise<void> {
    const removal = sql`delete from remembered_photos where ${isOwned(owner)} and network <> ${network}`;
    await this.#writer.write({ statements: [toStatement(removal.prepared('drop-photos'))] });
  }
}

function toPhoto({ id, food_id: foodId, date, network, vector }: PhotoRow): KeptPhoto {
  return { id, foodId, date, network, vector };
}
