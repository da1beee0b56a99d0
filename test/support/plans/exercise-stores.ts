import { randomBytes } from 'node:crypto';
import type { AppError } from '@larder/core/errors.ts';
import { toFoodId } from '@larder/core/food.ts';
import { createKeyText, hashKeyText, parseKeyId } from '../../../src/access/key-format.ts';
import type { KeyStore, StoredKey } from '../../../src/access/key-store.ts';
import { isLiveCredential } from '../../../src/access/live-credentials.ts';
import { SecurityEventStore } from '../../../src/access/security-event-store.ts';
import { TenantDirectory } from '../../../src/access/tenant-directory.ts';
import { SigningKeyStore } from '../../../src/access/tokens/signing-key-store.ts';
import type { Engine } from '../../../src/app/backend.ts';
import { openEngine } from '../../../src/app/open-backend.ts';
import { openPublished } from '../../../src/app/open-published.ts';
import { createSharedMemory } from '../../../src/app/shared-memory.ts';
import { createIds } from '../../../src/base/time-ordered-id.ts';
import { ChangeLog } from '../../../src/changes/change-log.ts';
import { ChangeWatch } from '../../../src/changes/change-watch.ts';
import { DeletionSweeper } from '../../../src/changes/deletion-sweeper.ts';
import { readEpoch } from '../../../src/changes/epoch.ts';
import { readConfig } from '../../../src/config/config.ts';
import { ChangeHints } from '../../../src/db/change-hints.ts';
import { SealedSecrets } from '../../../src/db/sealed-secrets.ts';
import { type Day, oneDay, WHOLE_DIARY } from '../../../src/diary/records/day.ts';
import { type DiaryOwner, MAX_DAY_ENTRIES } from '../../../src/diary/records/entry.ts';
import type { Thousandths } from '../../../src/diary/records/exact-amount.ts';
import { ALWAYS } from '../../../src/diary/records/goals.ts';
import type { Recipe } from '../../../src/diary/records/recipe.ts';
import { DAY, MEAL } from '../../../src/diary/records/record-kinds.ts';
import type { DiaryStore } from '../../../src/diary/store/diary-store.ts';
import type { CustomFoodStore } from '../../../src/foods/custom/custom-food-store.ts';
import { NO_QUOTA } from '../../../src/foods/custom/food-quota.ts';
import { NO_PROGRESS } from '../../../src/foods/import/import-job.ts';
import { ImportJobStore } from '../../../src/foods/import/import-job-store.ts';
import type { CatalogueVersions } from '../../../src/foods/published/catalogue-versions.ts';
import type { IdempotencyStore } from '../../../src/idempotency/idempotency-store.ts';
import { HouseholdStore } from '../../../src/people/household-store.ts';
import { endOwnKeys, endPasskeys, unlinkAll } from '../../../src/people/made-credentials.ts';
import { IdentityStore } from '../../../src/people/openid/identity-store.ts';
import { PasskeyStore } from '../../../src/people/passkeys/passkey-store.ts';
import { PeopleStore } from '../../../src/people/people-store.ts';
import { ScanOverview } from '../../../src/scan/jobs/scan-overview.ts';
import type { ScanStore } from '../../../src/scan/jobs/scan-store.ts';
import type { NewScan, ScanFailure, ScanId, ScanOwner } from '../../../src/scan/scan-job.ts';
import { DeliveryStore } from '../../../src/webhooks/delivery-store.ts';
import type { ClaimedDelivery } from '../../../src/webhooks/webhook.ts';
import { WebhookStore } from '../../../src/webhooks/webhook-store.ts';
import { customFood } from '../custom-food.ts';
import { newEntry, newMeasurement, newRecord } from '../diary-entries.ts';
import { MemoryLog } from '../memory-log.ts';
import { ANY_NUMBER, newScan } from '../new-scan.ts';
import { BUSY, FILLED_AT_MS, QUIET } from './filled.ts';
import { recordStatements, type SentStatement } from './recorded-statements.ts';

const NOW_MS = FILLED_AT_MS;
const NOW_S = NOW_MS / 1000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** A time in the middle of the retention, between pages. */
const LONG_AGO_MS = NOW_MS - 180 * DAY_MS;
const PAGE = 100;
const SWEPT_AT_ONCE = 500;
const TODAY = '2026-11-21' as Day;
const THIS_MONTH = { from: '2026-11-01' as Day, to: '2026-11-30' as Day };

const FORMER_SECRET = 'a secret of 2025, replaced since';
const NEW_SECRET = 'a secret of 2026, which seals now';

const failure: ScanFailure = { code: 'no_food_detected', message: 'Nothing.', retryable: false };

type Stores = Pick<
  Engine,
  | 'keys'
  | 'keyLookUps'
  | 'signingKeys'
  | 'idempotencyStore'
  | 'customFoods'
  | 'diary'
  | 'scans'
  | 'scanSignals'
>;

type Followers = ReturnType<typeof followersOf>;

/** Functions that follow the log of changes. */
function followersOf({ sql, scans }: Engine, memory: SharedArrayBuffer) {
  const onError = (cause: unknown) => {
    throw cause;
  };
  const nowMs = () => Date.now() + 91 * DAY_MS;
  return {
    changeLog: new ChangeLog(sql),
    tenants: new TenantDirectory(sql),
    people: new PeopleStore(sql),
    household: new HouseholdStore(sql),
    identities: new IdentityStore(sql),
    passkeys: new PasskeyStore(sql),
    securityEvents: new SecurityEventStore({ ...sql, nowMs, onError }),
    imports: new ImportJobStore(sql),
    scanOverview: new ScanOverview({ db: sql.db, scans }),
    changeWatch: new ChangeWatch({
      db: sql.db,
      hints: new ChangeHints({ memory }),
      pollMs: HOUR_MS,
      onError,
    }),
    deletionSweeper: new DeletionSweeper({ ...sql, nowMs, onError }),
    epochs: { read: () => readEpoch(sql) },
    liveCredentials: {
      isLive: (credential: string) => isLiveCredential(sql.db, credential, NOW_MS),
    },
    formerSigningKeys: new SigningKeyStore({ ...sql, secrets: new SealedSecrets([FORMER_SECRET]) }),
    newSigningKeys: new SigningKeyStore({ ...sql, secrets: new SealedSecrets([NEW_SECRET, FORMER_SECRET]) }),
    webhooks: new WebhookStore(sql),
    formerWebhooks: new WebhookStore({ ...sql, secrets: new SealedSecrets([FORMER_SECRET]) }),
    newWebhooks: new WebhookStore({ ...sql, secrets: new SealedSecrets([NEW_SECRET, FORMER_SECRET]) }),
    deliveries: new DeliveryStore(sql),
  };
}

/** The statements that a node with these settings sends to its empty, migrated database when it uses every method, by kind of user. */
export async function recordStores(
  settings: Readonly<Record<string, string>>,
): Promise<Record<string, SentStatement[]>> {
  const config = readConfig(settings);
  if (config.mode !== 'cluster') throw new Error('these settings are not those of a cluster');
  await using opened = new AsyncDisposableStack();
  const memory = createSharedMemory();
  const engine = await openEngine(config, { thread: 0, memory, log: new MemoryLog().logger });
  opened.defer(() => engine.close());
  const published = await openPublished(config);
  opened.defer(() => published.close());
  const stores = { ...engine, ...followersOf(engine, memory.changeHints) };
  return {
    'a busy user': await recordStatements(stores, (recorded) => exerciseStores(recorded, BUSY)),
    'a quiet user': await recordStatements(stores, (recorded) => exerciseStores(recorded, QUIET)),
    everybody: await recordStatements(published, ({ versions }) => exerciseCatalogues(versions)),
  };
}

/**
 * Calls every method of every store, for one user, at the time of the filled tables. Code coverage of the stores
 * shows forgotten statements.
 */
async function exerciseStores(stores: Stores & Followers, owner: DiaryOwner): Promise<void> {
  const known = await exerciseKeys(stores.keys, owner);
  await stores.keyLookUps.findAll(known);
  await exerciseSigningKeys(stores);
  for (const credential of [`key:${known[0]}`, 'session:unknown'])
    await stores.liveCredentials.isLive(credential);
  await exerciseIdempotency(stores.idempotencyStore, owner);
  await exerciseCustomFoods(stores.customFoods, owner);
  await exerciseScans(stores.scans, owner);
  stores.scanSignals.announce({ kind: 'queued' });
  await exerciseEntries(stores.diary, owner);
  await exerciseRecipesAndGoals(stores.diary, owner);
  await exerciseRecords(stores.diary, owner);
  await exercisePhotos(stores.diary, owner);
  await exercisePeople(stores.people);
  await exerciseHousehold(stores);
  await exerciseIdentities(stores.identities);
  await exercisePasskeys(stores.passkeys);
  await exerciseEvents(stores.securityEvents);
  await exerciseImports(stores.imports);
  await stores.scanOverview.storedImageBytes();
  await stores.scanOverview.queue(PAGE);
  await exerciseFollowers(stores, owner);
  await exerciseWebhooks(stores, owner);
  await exerciseLargeDiary(stores, owner);
  // The deletion of a food that only this user saw names the user.
  const deleted = { ...customFood({ key: createIds(1, NOW_MS, randomBytes)[0]! }), userId: owner.userId };
  await stores.customFoods.put(owner.tenant, deleted);
  await stores.customFoods.remove(owner.tenant, deleted.id);
  // One statement for users without foods.
  await stores.diary.eraseUser(owner);
}

async function exerciseImports(imports: ImportJobStore): Promise<void> {
  const [id] = createIds(1, NOW_MS, randomBytes);
  const job = {
    id: id!,
    source: 'off',
    state: 'waiting',
    createdAtMs: NOW_MS,
    progress: NO_PROGRESS,
  } as const;
  await imports.add(job, NOW_MS);
  await imports.find(job.id);
  await imports.list();
  await imports.receive(job, 'running', NO_PROGRESS, NOW_MS);
  await imports.move(job.id, NO_PROGRESS, NOW_MS);
  await imports.endInterrupted(NOW_MS + 1);
  await imports.finish(job.id, { state: 'failed', error: 'none' }, NOW_MS);
}

async function exerciseFollowers(
  { changeLog, changeWatch, deletionSweeper, epochs, tenants }: Followers,
  owner: DiaryOwner,
): Promise<void> {
  await epochs.read();
  await tenants.users(owner.tenant, { after: owner.userId, limit: PAGE });
  await tenants.tenants(NOW_S).next();
  await tenants.exists(owner.tenant);
  const head = await changeLog.head(owner);
  await changeLog.since(owner, head - 1, PAGE);
  await changeLog.find(owner, 'entry', 'none');
  const news = changeWatch.open([owner, { ...owner, userId: '' }]);
  await changeWatch.poll();
  news.close();
  await deletionSweeper.sweep();
}

async function exerciseWebhooks(
  { webhooks, formerWebhooks, newWebhooks, deliveries, diary }: Followers & Pick<Stores, 'diary'>,
  owner: DiaryOwner,
): Promise<void> {
  const [id] = createIds(1, NOW_MS, randomBytes);
  const { tenant } = owner;
  const [url, events] = ['https://app.example.com/', ['diary.changed'] as const];
  const webhook = { id: id!, tenant, url, events, createdAtMs: NOW_MS, secret: 'whsec_', baseUrl: url };
  await webhooks.add(webhook, 10);
  await webhooks.find(tenant, webhook.id);
  await webhooks.list(tenant, '', PAGE);
  await webhooks.listAll('', PAGE);
  await webhooks.listMadeBy('person:person-1', PAGE);
  await webhooks.targets([webhook.id]);
  await webhooks.change(webhook, { url, events, createdBy: 'person:person-1', isEnabled: true }, NOW_MS);
  await formerWebhooks.add({ ...webhook, id: createIds(1, NOW_MS, randomBytes)[0]! }, 10);
  const { sealed } = await newWebhooks.seal();
  if (sealed === 0) throw new Error('a webhook should be sealed anew');
  await webhooks.rotate(webhook, 'whsec_', { nowMs: NOW_MS, untilMs: NOW_MS });
  await diary.addEntries(owner, [newEntry()]);
  const nowMs = Date.now() + HOUR_MS;
  await deliveries.queued('', nowMs);
  const claimed = (await deliveries.claim(webhook.id, { nowMs, leaseUntilMs: nowMs, limit: 4 }))[0]!;
  await deliveries.extendLease(claimed, nowMs);
  const answer = { atMs: nowMs, responseStatus: 200, response: '' };
  await deliveries.settle(claimed, { ...answer, succeeded: true });
  await deliveries.redeliver(claimed, nowMs);
  for (const settle of [
    (held: ClaimedDelivery) => deliveries.giveBack(held, nowMs),
    (held: ClaimedDelivery) => deliveries.settle(held, { ...answer, succeeded: false, dueAtMs: nowMs }),
    (held: ClaimedDelivery) => deliveries.drop(held),
  ])
    await settle((await deliveries.claim(webhook.id, { nowMs, leaseUntilMs: nowMs, limit: 1 }))[0]!);
  const test = { tenant, webhookId: webhook.id, id: '0'.repeat(32) };
  await deliveries.addTest(test, nowMs);
  await deliveries.find(test);
  await deliveries.list(webhook.id, '', PAGE);
  await deliveries.giveUp(NOW_MS, SWEPT_AT_ONCE);
  await deliveries.forget(NOW_MS, SWEPT_AT_ONCE);
  await deliveries.hasMore(webhook.id, 10_000);
  await deliveries.depth();
  for (const atMs of [NOW_MS, NOW_MS + 4 * DAY_MS]) await webhooks.failed(webhook.id, atMs);
  await webhooks.disable(webhook.id, 'gone', NOW_MS);
  await webhooks.remove(webhook);
}

/** More entries than a day may have and a user may add, and more entries and responses than one step erases. */
async function exerciseLargeDiary(
  { diary, idempotencyStore }: Pick<Stores, 'diary' | 'idempotencyStore'>,
  owner: DiaryOwner,
): Promise<void> {
  const many = 2_100;
  const entries = Array.from({ length: many + MAX_DAY_ENTRIES }, () => newEntry());
  await diary.addEntries(owner, entries.splice(0, many));
  const refused = await diary.addEntries(owner, entries).catch((error: AppError) => error.code);
  if (refused !== 'quota_exceeded') throw new Error('these should be more than a user may add');
  for (const idempotencyKey of createIds(many, NOW_MS, randomBytes))
    await idempotencyStore.claim(toClaim(owner, idempotencyKey));
  await diary.eraseUser(owner);
}

function toClaim({ tenant, userId }: DiaryOwner, idempotencyKey: string) {
  return {
    name: { tenant, userId, idempotencyKey },
    subjectUserId: userId,
    fingerprint: randomBytes(32),
    nowMs: NOW_MS,
    claimedUntilMs: NOW_MS + 30_000,
    forgottenMs: NOW_MS - DAY_MS,
  };
}

async function exerciseKeys(keys: KeyStore, { tenant, userId }: DiaryOwner): Promise<readonly string[]> {
  const [first, second, third] = [newKey(tenant), newKey(tenant), newKey(tenant)];
  await keys.addFirst(first);
  const quota = { keys: 1_000, endedKeys: 1_000, nowSeconds: NOW_S };
  await keys.add(second, quota);
  const { id } = second.key;
  await keys.find(id);
  await keys.changeLimits(id, { scanCreate: 5 });
  await keys.markUsed(id, NOW_S, 3_600);
  await keys.list({ limit: PAGE });
  await keys.list({ limit: PAGE, tenant });
  const after = newKey(tenant, LONG_AGO_MS / 1000).key.id;
  await keys.list({ limit: PAGE, after });
  await keys.list({ limit: PAGE, tenant, after });
  await keys.replace(id, NOW_S, third, quota);
  await keys.replace('unknown', NOW_S, third, quota);
  await keys.revoke(third.key.id, NOW_S);
  const own = newKey(tenant);
  await keys.add({ ...own, key: { ...own.key, userId } }, { ...quota, keys: 20 });
  await keys.list({ limit: PAGE, tenant, userId });
  await keys.list({ limit: PAGE, createdBy: 'person:person-1' });
  return [id, third.key.id];
}

function newKey(tenant: string, createdAt = NOW_S): StoredKey {
  const text = createKeyText(createdAt, randomBytes);
  const key = { id: parseKeyId(text)!, tenant, scopes: ['foods:read'] as const, createdAt };
  return { key, secretHash: hashKeyText(text) };
}

async function exerciseSigningKeys({
  signingKeys,
  formerSigningKeys,
  newSigningKeys,
}: Pick<Stores & Followers, 'signingKeys' | 'formerSigningKeys' | 'newSigningKeys'>): Promise<void> {
  // They are sealed in the order of their age.
  for (const [age, store] of [signingKeys, formerSigningKeys].entries()) {
    const kid = createIds(1, NOW_MS, randomBytes)[0]!;
    await store.addUnlessNewer({ kid, createdAt: NOW_S - age, privateJwk: { kty: 'EC' } }, NOW_S);
  }
  await signingKeys.list();
  const { sealed, lost } = await newSigningKeys.seal();
  if (sealed === 0 || lost === 0) throw new Error('a key should be sealed anew, and one removed');
  await signingKeys.removeOlder(NOW_S - DAY_MS / 1000);
}

async function exerciseIdempotency(idempotencyStore: IdempotencyStore, owner: DiaryOwner): Promise<void> {
  for (const idempotencyKey of createIds(2, NOW_MS, randomBytes)) {
    const request = toClaim(owner, idempotencyKey);
    const { name } = request;
    const claim = await idempotencyStore.claim(request);
    if (claim.kind !== 'started') throw new Error('nobody else has this name');
    await idempotencyStore.extend(name, claim.claimId, NOW_MS + 30_000);
    await idempotencyStore.abandon(name, claim.claimId);
    await idempotencyStore.settle(name, claim.claimId, { status: 201, headers: {}, body: '{}' });
    await idempotencyStore.claim(request);
  }
  await idempotencyStore.removeForgotten(NOW_MS - DAY_MS, PAGE);
}

async function exerciseCustomFoods(
  customFoods: CustomFoodStore,
  { tenant, userId }: DiaryOwner,
): Promise<void> {
  const food = customFood({ key: createIds(1, NOW_MS, randomBytes)[0]! });
  const { revision, version } = await customFoods.put(tenant, food);
  await customFoods.replace(tenant, food, version);
  await customFoods.replace(tenant, food, version, { foods: 1, words: 1 });
  await customFoods.latestRevisions([tenant, '*']);
  await customFoods.findOldestShared();
  const full = { foods: 1, words: 100 };
  const chosen = { ...food, id: toFoodId('manual', createIds(1, NOW_MS, randomBytes)[0]!) };
  for (let times = 0; times < 2; times++) await customFoods.add(tenant, chosen, NO_QUOTA, NOW_MS);
  await customFoods.add(tenant, { ...chosen, id: toFoodId('manual', 'x') }, full, NOW_MS).catch(() => {});
  await customFoods.wasDeleted(tenant, chosen.id);
  await customFoods.put(tenant, food, full).catch(() => {});
  await customFoods.find(tenant, food.id);
  await customFoods.findAll(tenant, [food.id]);
  await customFoods.list(tenant, '', PAGE);
  await customFoods.list(tenant, '', PAGE, { userId });
  await customFoods.list(tenant, '', PAGE, { unseen: [userId] });
  await customFoods.list(tenant, toFoodId('manual', createIds(1, LONG_AGO_MS, randomBytes)[0]!), PAGE);
  await customFoods.changesAfter(tenant, revision - 1, PAGE);
  await customFoods.remove(tenant, food.id, version);
  await customFoods.remove(tenant, food.id);
  const ofUser = { ...food, userId };
  await customFoods.replace(tenant, ofUser, (await customFoods.put(tenant, ofUser)).version);
  const another = { ...ofUser, id: toFoodId('manual', createIds(1, NOW_MS, randomBytes)[0]!) };
  for (const food of [another, { ...another, userId: 'another' }]) {
    await customFoods.put(tenant, food, { foods: 1, words: 1_000 }).catch(() => {});
  }
}

async function exercisePeople(people: PeopleStore): Promise<void> {
  const [id, sessionId] = createIds(2, NOW_MS, randomBytes) as [string, string];
  await people.hasPeople();
  await people.addOwnerLink(id);
  await people.hasLink(id, NOW_MS);
  const person = { id, name: id, nameKey: id, password: 'x', createdAtMs: NOW_MS };
  await people.addPerson(person, id);
  await people.findByName(id);
  await people.listNames();
  await people.findPerson(id);
  await people.rename(id, id, id);
  await people.addReset(id, { hash: id, untilMs: NOW_MS + DAY_MS, createdBy: `person:${id}` });
  await people.findByReset(id, NOW_MS);
  await people.resetPassword(id, id, 'x', NOW_MS);
  await people.findUnseenReset(id);
  await people.noteResetSeen(id);
  await people.sharesWithMaker('default', `person:${id}`);
  await people.listSessions(id, NOW_MS);
  await people.listAllSessions(NOW_MS);
  const times = { createdAtMs: NOW_MS, seenAtMs: NOW_MS, expiresAtMs: NOW_MS + DAY_MS };
  await people.addSession({ id: sessionId, personId: id, hash: sessionId, ...times });
  await people.addSession({ id: sessionId, personId: id, hash: id, ...times }, 'x');
  const also = [endOwnKeys(id, NOW_MS), ...unlinkAll(id, sessionId), ...endPasskeys(id, sessionId)];
  await people.changePassword(id, { before: 'x', password: 'y', kept: sessionId, also });
  await people.findSession(sessionId);
  await people.renewSession(sessionId, times);
  await people.proveSession(sessionId, NOW_MS);
  await people.addReset(id, { hash: id, untilMs: NOW_MS + DAY_MS, createdBy: `person:${id}` });
  await people.findByReset(id, NOW_MS);
  await people.resetPassword(id, id, 'z', NOW_MS);
  await people.findUnseenReset(id);
  await people.noteResetSeen(id);
  await people.removeSessionOf(id, sessionId);
  await people.removeSession(sessionId);
}

async function exerciseIdentities(identities: IdentityStore): Promise<void> {
  const [id, subject] = createIds(2, NOW_MS, randomBytes) as [string, string];
  const identity = { id, issuer: 'https://login.example.org', subject, createdAtMs: NOW_MS };
  const person = { id, name: id, nameKey: id, password: '', createdAtMs: NOW_MS };
  await identities.join(person, identity);
  await identities.join(person, identity, id);
  await identities.find(identity.issuer, subject);
  await identities.list(id);
  await identities.link(id, identity);
  await identities.unlink(id, id, id);
}

async function exerciseEvents(events: SecurityEventStore): Promise<void> {
  const event = { event: 'sign_in', result: 'ok', address: '192.0.2.1', requestId: 'x' } as const;
  events.keep(event);
  await events.settled();
  await events.list({ after: '', limit: PAGE });
  await events.list({ after: '', limit: PAGE, events: ['sign_in'], results: ['ok'] });
}

async function exercisePasskeys(passkeys: PasskeyStore): Promise<void> {
  const [id] = createIds(1, NOW_MS, randomBytes) as [string];
  const passkey = {
    id,
    credentialId: id,
    personId: id,
    name: id,
    rpId: 'larder.test',
    publicKey: '',
    counter: 0,
  };
  await passkeys.hasAny();
  await passkeys.add({ ...passkey, transports: [], createdAtMs: NOW_MS }, NOW_MS);
  await passkeys.find(id);
  await passkeys.list(id);
  await passkeys.stateOf(id);
  await passkeys.use(id, { challengedAtMs: NOW_MS, counter: 0, nowMs: NOW_MS });
  await passkeys.require(id, true);
  await passkeys.removePassword(id);
  await passkeys.replaceCodes(id, [id]);
  await passkeys.useCode(id, id);
  await passkeys.remove(id, id, id);
}

async function exerciseHousehold({
  household,
  people,
}: Pick<Followers, 'household' | 'people'>): Promise<void> {
  const [one, other] = createIds(2, NOW_MS, randomBytes) as [string, string];
  const invite = (id: string) =>
    household.addInvitation(id, { id, role: 'owner', expiresAtMs: NOW_MS + DAY_MS }, NOW_MS);
  for (const id of [one, other]) {
    await invite(id);
    await people.addPerson({ id, name: id, nameKey: id, password: 'x', createdAtMs: NOW_MS }, id);
  }
  await household.listPeople();
  await invite(one);
  await household.listInvitations(NOW_MS);
  await household.removeInvitation(one);
  await household.setSharing(one, { general: 'read', people: new Map([[other, 'write']]) });
  await household.sharingOf(one);
  await household.changeRole(other, 'member', NOW_MS);
  await household.changeRole(other, 'owner', NOW_MS);
  await household.changeRole(other, 'member', NOW_MS, one);
  await household.removePerson(one, NOW_MS);
  await household.endMadeBy(one, NOW_MS);
  await household.listDepartures(NOW_MS, 10);
  await household.endDeparture(one);
}

function newScans(count: number, owner: ScanOwner): NewScan[] {
  const times = { createdAtMs: NOW_MS, uploadExpiresAtMs: NOW_MS + 15 * 60_000 };
  return createIds(count, NOW_MS, randomBytes).map((id) =>
    newScan({ id: id.toLowerCase() as ScanId, ...owner, ...times }),
  );
}

async function exerciseScans(scans: ScanStore, owner: DiaryOwner): Promise<void> {
  const { tenant } = owner;
  const [sent, unused, ofTenant] = [...newScans(2, owner), ...newScans(1, { tenant })] as [
    NewScan,
    NewScan,
    NewScan,
  ];
  for (const scan of [sent, unused, ofTenant]) await scans.create(scan, ANY_NUMBER);
  await scans.create(newScans(1, owner)[0]!, {
    perTenant: 1,
    perUser: 1,
    images: 10_000,
    imageBytes: 30e9,
    expiredBeforeMs: NOW_MS,
  });
  for (const scan of [sent, ofTenant]) await scans.find(scan);
  const watched = newScans(SWEPT_AT_ONCE, owner);
  for (const several of [[sent, unused], watched]) {
    await scans.findAll(several);
    await scans.findByIds(several.map(({ id }) => id));
  }
  await scans.pendingUploads(NOW_MS - 5_000, SWEPT_AT_ONCE);
  await scans.expireUpload(unused, failure, NOW_MS);
  await scans.arrive(sent, { nowMs: NOW_MS });
  await scans.arrive(ofTenant, { nowMs: NOW_MS });
  await scans.remove(ofTenant);
  const request = { nowMs: NOW_MS, leaseUntilMs: NOW_MS + 15_000, maxAttempts: 3 };
  const claimed = await scans.claim(request);
  if (claimed === undefined) throw new Error('a scan waits to be claimed');
  const claim = { ...claimed.job, fencingToken: claimed.fencingToken };
  await scans.extendLease(claim, NOW_MS + 15_000);
  await scans.release(claim, NOW_MS);
  await scans.giveBack(claim, NOW_MS);
  await scans.settle(claim, { failure }, NOW_MS);
  const [abandoned] = newScans(1, owner) as [NewScan];
  await scans.create(abandoned, ANY_NUMBER);
  await scans.arrive(abandoned, { nowMs: NOW_MS });
  await scans.claim({ ...request, leaseUntilMs: NOW_MS });
  await scans.failAbandoned(failure, { nowMs: NOW_MS, maxAttempts: 1, limit: SWEPT_AT_ONCE });
  await scans.withImageSettledBefore(NOW_MS - DAY_MS, SWEPT_AT_ONCE);
  await scans.imageMeasured(sent, 2_000);
  await scans.imageDeleted(unused);
  await scans.removeSettledBefore(LONG_AGO_MS, SWEPT_AT_ONCE);
  await scans.ofUser(owner, PAGE);
  await scans.depth();

  await scans.remove(sent);
}

async function exerciseEntries(diary: DiaryStore, owner: DiaryOwner): Promise<void> {
  const entries = [newEntry({ date: TODAY }), newEntry({ date: TODAY })];
  const [first, second] = entries as [(typeof entries)[0], (typeof entries)[0]];
  await diary.addEntries(owner, entries);
  await diary.addEntries(owner, [newEntry({ note: 'n' })], { ...owner, idempotencyKey: 'k' });
  await diary.findEntry(owner, first.id);
  await diary.findDeleted(owner, 'entry', [first.id]);
  await diary.addEntries(owner, [newEntry({ date: TODAY })], undefined, NOW_MS);
  await diary.findEntries(owner, createIds(32, LONG_AGO_MS, randomBytes));
  await diary.listEntries(owner, { range: oneDay(TODAY), limit: PAGE });
  await diary.listEntries(owner, { range: THIS_MONTH, after: first, limit: PAGE });
  await diary.listEntries(owner, { range: WHOLE_DIARY, limit: PAGE });
  await diary.listLatest(owner, PAGE);
  await diary.listLatestFoods(owner, PAGE);
  await diary.sumDays(owner, THIS_MONTH);
  await diary.sumDays(owner, THIS_MONTH, 'meal');
  await diary.sumDays(owner, oneDay(TODAY));
  await diary.replaceEntry(owner, { ...first, version: 2 });
  await diary.replaceEntry(owner, { ...first, version: 2 });
  await diary.removeEntry(owner, second.id, 7);
  await diary.removeEntry(owner, second.id);
}

async function exerciseRecipesAndGoals(diary: DiaryStore, owner: DiaryOwner): Promise<void> {
  const recipe: Recipe = {
    id: createIds(1, NOW_MS, randomBytes)[0]!,
    name: 'Soup',
    servings: 4,
    yieldGrams: 800,
    ingredients: [],
    version: 1,
    createdAt: NOW_MS,
    updatedAt: NOW_MS,
  };
  await diary.recipes.add(owner, [recipe]);
  await diary.recipes.find(owner, recipe.id);
  await diary.recipes.findOf(owner.tenant, [owner.userId, 'another'], recipe.id);
  await diary.recipes.findAll(owner, [recipe.id]);
  await diary.recipes.wasDeleted(owner, recipe.id);
  await diary.recipes.listById(owner, { limit: PAGE });
  await diary.recipes.listById(owner, { after: createIds(1, LONG_AGO_MS, randomBytes)[0]!, limit: PAGE });
  await diary.recipes.replace(owner, { ...recipe, version: 2 });
  await diary.recipes.replace(owner, { ...recipe, version: 2 });
  await diary.recipes.remove(owner, recipe.id, 7);
  await diary.recipes.remove(owner, recipe.id);
  const measurement = newMeasurement();
  const { measurements } = diary;
  await measurements.add(owner, [measurement]);
  await measurements.find(owner, measurement.id);
  await measurements.findAll(owner, [measurement.id]);
  await measurements.wasDeleted(owner, measurement.id);
  await measurements.list(owner, { limit: PAGE });
  await measurements.list(owner, { name: 'weight', limit: PAGE });
  await measurements.listById(owner, { after: '', limit: PAGE });
  await measurements.replace(owner, { ...measurement, version: 2 });
  await measurements.replace(owner, { ...measurement, version: 2 });
  await measurements.remove(owner, measurement.id, 7);
  await measurements.remove(owner, measurement.id);
  for (const from of [TODAY, ALWAYS]) {
    const amounts = { calories: 2_000_000 as Thousandths };
    const goals = { from, amounts, weekdays: { sunday: amounts } };
    await diary.goals.put(owner, goals, { replaceHistory: from === ALWAYS });
    for (const expected of [0, 1]) {
      await diary.goals.put(owner, goals, { expected });
      await diary.goals.remove(owner, from, expected);
      await diary.goals.remove(owner, undefined, expected);
    }
  }
  await diary.goals.read(owner);
  await diary.goals.remove(owner, TODAY);
  await diary.goals.remove(owner, undefined);
}

async function exerciseRecords(diary: DiaryStore, owner: DiaryOwner): Promise<void> {
  const { records } = diary;
  const day = newRecord({ id: TODAY, body: { note: 'n' } });
  const meal = newRecord({ body: { name: 'Soup' } });
  await records.of(DAY).add(owner, [day]);
  await records.of(MEAL).add(owner, [meal], { ...owner, idempotencyKey: 'k' }, NOW_MS);
  await records.of(DAY).find(owner, day.id);
  await records.of(MEAL).findAll(owner, [meal.id]);
  await records.of(MEAL).wasDeleted(owner, meal.id);
  await records.of(MEAL).list(owner, { after: '', limit: PAGE });
  await records.of(DAY).list(owner, { after: '', ...THIS_MONTH, limit: PAGE });
  await records.listAll(owner, { kind: DAY.name, id: TODAY }, PAGE);
  await records.of(MEAL).replace(owner, { ...meal, version: 2 });
  await records.of(MEAL).replace(owner, { ...meal, version: 2 });
  await records.of(MEAL).remove(owner, meal.id, 7);
  await records.of(MEAL).remove(owner, meal.id);
  for (const range of [THIS_MONTH, WHOLE_DIARY])
    await diary.listNotes(owner, { range, before: { date: TODAY, id: '' }, limit: PAGE });
}

async function exercisePhotos(diary: DiaryStore, owner: DiaryOwner): Promise<void> {
  const entry = newEntry({ date: TODAY });
  const photo = {
    id: entry.id,
    foodId: 'manual:1',
    date: TODAY,
    network: 'first 1',
    vector: randomBytes(128),
  };
  await diary.addEntries(owner, [entry], undefined, undefined, photo);
  await diary.photos.listLatest(owner, PAGE);
  await diary.photos.list(owner, { after: '', limit: PAGE });
  await diary.photos.dropOthers(owner, 'second 1');
}

async function exerciseCatalogues(versions: CatalogueVersions): Promise<void> {
  const facts = { formatVersion: 1, foods: 1, bytes: 1, partBytes: 1, parts: ['00'] };
  const times = { compiledAtMs: NOW_MS, publishedAtMs: NOW_MS };
  for (const name of ['first', 'second']) {
    await versions.add({ name, ...facts, ...times });
    await versions.activate(name);
  }
  await versions.activate('third');
  await versions.find('second');
  await versions.list();
  await versions.findActive();
  await versions.rollBack();
  await versions.removeOld(5);
}
