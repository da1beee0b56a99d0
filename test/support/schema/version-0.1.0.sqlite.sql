BEGIN TRANSACTION;
CREATE TABLE "api_keys" ("id" text not null primary key, "tenant_id" text not null, "name" text, "secret_hash" blob not null, "scopes" text not null, "limits" text, "created_at" integer not null, "expires_at" integer, "revoked_at" integer) strict, without rowid;
INSERT INTO "api_keys" VALUES('k1','acme','app',X'0A0B','diary:read',NULL,1769860800,NULL,NULL);
CREATE TABLE diary_entries (
      tenant_id text not null,
      user_id text not null,
      date text not null,
      id text not null,
      version integer not null,
      meal_type text not null,
      food_name text not null,
      calories integer not null,
      protein integer not null,
      carbs integer not null,
      fat integer not null,
      fiber integer,
      sodium integer,
      added_method text not null,
      food_id text,
      barcode text,
      recipe_id text,
      quantity real,
      unit text,
      created_at integer not null,
      updated_at integer not null, "calories_rest" integer not null default 0, "protein_rest" integer not null default 0, "carbs_rest" integer not null default 0, "fat_rest" integer not null default 0, "fiber_rest" integer not null default 0, "sodium_rest" integer not null default 0, exact_version integer, basis text, eaten_at text, note text, "sugars" integer, "added_sugars" integer, "saturated_fat" integer, "trans_fat" integer, "cholesterol" integer, "potassium" integer, "calcium" integer, "iron" integer, "vitamin_d" integer,
      primary key (tenant_id, user_id, date, id)
    ) strict, without rowid;
INSERT INTO "diary_entries" VALUES('acme','ana','2026-01-31','01KG0000000000000000000001',1,'lunch','Lentil soup',120500,9000,123,0,4000,NULL,'manual',NULL,NULL,NULL,NULL,NULL,1769860800000,1769860800000,0,0,0,0,0,0,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "diary_entries" VALUES('acme','ana','2026-01-31','01KG0000000000000000000002',1,'lunch','Banana, raw',485,4,115,1,NULL,NULL,'manual','fdc:7',NULL,NULL,0.5,'g',1769860800000,1769860800000,0,-300000,0,450000,0,0,1,'[[0,-300000,0,450000,0,0,-333333,0,0,0,0,0,0,300000],100,"g",[97,0.74,23,0.29,null,null,0.3333333333333333,null,null,null,null,null,null,0.26],["g",[[1,"banana",126]]]]','2026-01-31T12:30:00+01:00','ripe',1666667,NULL,NULL,NULL,NULL,NULL,NULL,1300000,NULL);
INSERT INTO "diary_entries" VALUES('acme','ana','2026-01-31','01KG0000000000000000000003',2,'snacks','Banana, raw',485,9,115,1,NULL,NULL,'manual','fdc:7',NULL,NULL,0.5,'g',1769860800000,1769860800000,0,-300000,0,450000,0,0,1,'[[0,-300000,0,450000,0,0,-333333,0,0,0,0,0,0,300000],100,"g",[97,0.74,23,0.29,null,null,0.3333333333333333,null,null,null,null,null,null,0.26],["g",[[1,"banana",126]]]]','2026-01-31T12:30:00+01:00','ripe',1666667,NULL,NULL,NULL,NULL,NULL,NULL,1300000,NULL);
INSERT INTO "diary_entries" VALUES('acme','ana','2026-02-01','01KG0000000000000000000004',1,'lunch','Lentil soup',120500,9000,123,0,4000,NULL,'manual',NULL,NULL,NULL,NULL,NULL,1769860800000,1769860800000,0,0,0,0,0,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE diary_goals (
      tenant_id text not null,
      user_id text not null,
      from_date text not null,
      calories integer,
      protein integer,
      carbs integer,
      fat integer,
      fiber integer,
      sodium integer, "sugars" integer, "added_sugars" integer, "saturated_fat" integer, "trans_fat" integer, "cholesterol" integer, "potassium" integer, "calcium" integer, "iron" integer, "vitamin_d" integer,
      primary key (tenant_id, user_id, from_date)
    ) strict, without rowid;
INSERT INTO "diary_goals" VALUES('acme','ana','0000-00-00',2000000,80000,1000,1000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE diary_recipes (
      tenant_id text not null,
      user_id text not null,
      id text not null,
      version integer not null,
      name text not null,
      servings real not null,
      ingredients text not null,
      created_at integer not null,
      updated_at integer not null, yield_grams real,
      primary key (tenant_id, user_id, id)
    ) strict, without rowid;
INSERT INTO "diary_recipes" VALUES('acme','ana','01KG0000000000000000000005',1,'Stew',4.0,'[{"name":"Bean","amounts":{"calories":120500,"protein":9000,"carbs":123,"fat":0,"fiber":4000}}]',1769860800000,1769860800000,812.5);
CREATE TABLE idempotent_requests (
      tenant_id text not null,
      user_id text not null,
      idempotency_key text not null,
      fingerprint blob not null,
      claim_id text not null,
      claimed_at_ms integer not null,
      claimed_until_ms integer not null,
      status integer,
      headers text,
      body text, subject_user_id text not null default '', attempt integer not null default 1,
      primary key (tenant_id, user_id, idempotency_key)
    ) strict;
INSERT INTO "idempotent_requests" VALUES('acme','ana','key-1',X'0102','claim-1',1769860800000,1769860830000,201,'{"location":"/x"}','{}','ana',1);
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO "kysely_migration" VALUES('0001-api-keys','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0002-diary','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0003-signing-keys','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0004-live-foods','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0005-idempotent-requests','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0006-repeated-requests','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0007-scans','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0008-scans-of-nobody','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0009-settled-scans','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0010-exact-amounts','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0011-scan-turns','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0012-live-food-usage','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0013-food-owners','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0014-stored-images','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0015-live-keys','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0016-entry-notes','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0017-all-nutrients','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0018-recipe-yields','2026-11-26T04:10:00.000Z');
INSERT INTO "kysely_migration" VALUES('0019-image-bytes','2026-11-26T04:10:00.000Z');
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO "kysely_migration_lock" VALUES('migration_lock',0);
CREATE TABLE live_food_usage (
      tenant_id text not null primary key,
      foods integer not null,
      words integer not null
    ) strict, without rowid;
INSERT INTO "live_food_usage" VALUES('acme',2,4);
CREATE TABLE "live_foods" ("tenant_id" text not null, "id" text not null, "revision" integer not null, "food" text, words integer not null default 0, user_id text, user_food text, constraint "live_foods_pk" primary key ("tenant_id", "id")) strict, without rowid;
INSERT INTO "live_foods" VALUES('acme','manual:gone',4,NULL,0,NULL,NULL);
INSERT INTO "live_foods" VALUES('acme','manual:of-ann',2,NULL,2,'ann','{"id":"manual:of-ann","source":"manual_entry","name":"Plum jam","aliases":[],"basis":"g","per100":{"energy":120,"protein":4.2,"fat":3.1,"carbohydrates":17.5},"servings":[{"value":100,"unit":"g","basisAmount":100}],"popularity":100,"createdAt":1700000000,"updatedAt":1700000000,"userId":"ann"}');
INSERT INTO "live_foods" VALUES('acme','manual:shared',1,'{"id":"manual:shared","source":"manual_entry","name":"Plum pie","aliases":[],"basis":"g","per100":{"energy":120,"protein":4.2,"fat":3.1,"carbohydrates":17.5},"servings":[{"value":100,"unit":"g","basisAmount":100}],"popularity":100,"createdAt":1700000000,"updatedAt":1700000000}',2,NULL,NULL);
CREATE TABLE scans (
      tenant_id text not null,
      id text not null,
      user_id text,
      client_id text not null,
      content_type text not null,
      image_type text not null,
      status text not null,
      created_at_ms integer not null,
      upload_expires_at_ms integer not null,
      settled_at_ms integer,
      result text,
      failure text,
      due_at_ms integer,
      is_leased integer not null default 0,
      attempts integer not null default 0,
      fencing_token integer not null default 0,
      has_image integer not null default 1, tenant_turn integer not null default 0, user_turn integer not null default 0, image_bytes integer not null default 10485760,
      primary key (tenant_id, id)
    ) strict;
INSERT INTO "scans" VALUES('acme','01kg00000000000000000000s1','','phone-1','image/jpeg','photo','upload_pending',1000,901000,NULL,NULL,NULL,NULL,0,0,0,1,0,0,1000);
INSERT INTO "scans" VALUES('acme','01kg00000000000000000000s2','ana','phone-1','image/jpeg','photo','processing',1000,901000,NULL,NULL,NULL,2000,0,0,0,1,1,1,500);
CREATE TABLE "signing_keys" ("kid" text not null primary key, "created_at" integer not null, "private_jwk" text not null) strict, without rowid;
INSERT INTO "signing_keys" VALUES('s1',1769860800,'{"kty":"EC"}');
CREATE INDEX "api_keys_by_tenant" on "api_keys" ("tenant_id", "id");
CREATE UNIQUE INDEX diary_entries_by_id on diary_entries (tenant_id, user_id, id);
CREATE UNIQUE INDEX "live_foods_by_revision" on "live_foods" ("revision");
CREATE INDEX idempotent_requests_by_age on idempotent_requests (claimed_at_ms);
CREATE INDEX idempotent_requests_by_subject
      on idempotent_requests (tenant_id, subject_user_id);
CREATE INDEX scans_by_id on scans (id);
CREATE INDEX scans_by_user on scans (tenant_id, user_id) where user_id is not null;
CREATE INDEX scans_awaiting_upload on scans (created_at_ms)
      where status = 'upload_pending';
CREATE INDEX scans_to_work_on on scans (due_at_ms, id) where status = 'processing';
CREATE INDEX scans_with_old_image on scans (settled_at_ms)
      where has_image = 1 and settled_at_ms is not null;
CREATE INDEX scans_settled on scans (settled_at_ms)
      where settled_at_ms is not null;
CREATE INDEX scans_by_tenant_turn on scans (tenant_turn, due_at_ms, id)
      where due_at_ms is not null;
CREATE INDEX scans_by_user_turn on scans (tenant_id, user_turn, due_at_ms, id)
      where due_at_ms is not null;
CREATE INDEX scans_last_turn on scans (tenant_id, tenant_turn)
      where settled_at_ms is null;
CREATE INDEX scans_unfinished on scans (tenant_id, user_id, user_turn)
      where settled_at_ms is null;
CREATE INDEX live_foods_shared on live_foods (revision)
      where tenant_id = '*' and food is not null;
CREATE INDEX live_foods_by_user on live_foods (tenant_id, user_id)
      where user_id is not null;
CREATE TRIGGER live_food_added after insert on live_foods
      when coalesce(new.food, new.user_food) is not null begin
      insert into live_food_usage values (new.tenant_id, 1, new.words)
        on conflict (tenant_id) do update set foods = foods + 1, words = words + excluded.words;
    end;
CREATE TRIGGER live_food_changed after update on live_foods begin
      update live_food_usage set
        foods = foods + (coalesce(new.food, new.user_food) is not null) - (coalesce(old.food, old.user_food) is not null),
        words = words + iif(coalesce(new.food, new.user_food) is null, 0, new.words)
          - iif(coalesce(old.food, old.user_food) is null, 0, old.words)
      where tenant_id = new.tenant_id;
    end;
CREATE TRIGGER live_food_removed after delete on live_foods
      when coalesce(old.food, old.user_food) is not null begin
      update live_food_usage set foods = foods - 1, words = words - old.words where tenant_id = old.tenant_id;
    end;
CREATE INDEX live_foods_gone on live_foods (revision)
      where food is null and user_food is null;
CREATE INDEX api_keys_by_end
      on api_keys (tenant_id, coalesce(revoked_at, expires_at, 9007199254740991));
CREATE INDEX scans_by_image_bytes on scans (tenant_id, image_bytes)
      where has_image = 1;
COMMIT;
