CREATE FUNCTION count_live_food() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      declare
        food_change integer := 0;
        word_change integer := 0;
      begin
        if tg_op <> 'DELETE' and coalesce(new.food, new.user_food) is not null then
          food_change := 1;
          word_change := new.words;
        end if;
        if tg_op <> 'INSERT' and coalesce(old.food, old.user_food) is not null then
          food_change := food_change - 1;
          word_change := word_change - old.words;
        end if;
        if food_change <> 0 or word_change <> 0 then
          insert into live_food_usage as usage values (coalesce(new.tenant_id, old.tenant_id), food_change, word_change)
            on conflict (tenant_id) do update
              set foods = usage.foods + excluded.foods, words = usage.words + excluded.words;
        end if;
        return null;
      end
    $$;
CREATE FUNCTION notify_live_food() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      begin
        perform pg_notify('larder_live_foods', new.revision::text);
        return null;
      end
    $$;
CREATE FUNCTION scan_of_nobody() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      begin
        new.user_id := coalesce(new.user_id, '');
        return new;
      end
    $$;
CREATE TABLE api_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    tenant_id text NOT NULL,
    name text,
    secret_hash bytea NOT NULL,
    scopes text NOT NULL,
    limits text,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint
);
CREATE TABLE catalogue_activations (
    number integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    previous integer,
    activated_at_ms bigint NOT NULL
);
CREATE TABLE catalogue_versions (
    name text NOT NULL COLLATE pg_catalog."C",
    published_at_ms bigint NOT NULL,
    compiled_at_ms bigint NOT NULL,
    format_version integer NOT NULL,
    foods bigint NOT NULL,
    bytes bigint NOT NULL,
    part_bytes integer NOT NULL,
    parts text[] NOT NULL
);
CREATE TABLE diary_entries (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    date text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    meal_type text NOT NULL,
    food_name text NOT NULL,
    calories bigint NOT NULL,
    protein bigint NOT NULL,
    carbs bigint NOT NULL,
    fat bigint NOT NULL,
    fiber bigint,
    sodium bigint,
    added_method text NOT NULL,
    food_id text,
    barcode text,
    recipe_id text,
    quantity double precision,
    unit text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    calories_rest integer DEFAULT 0 NOT NULL,
    protein_rest integer DEFAULT 0 NOT NULL,
    carbs_rest integer DEFAULT 0 NOT NULL,
    fat_rest integer DEFAULT 0 NOT NULL,
    fiber_rest integer DEFAULT 0 NOT NULL,
    sodium_rest integer DEFAULT 0 NOT NULL,
    exact_version integer,
    basis text,
    eaten_at text,
    note text,
    sugars bigint,
    added_sugars bigint,
    saturated_fat bigint,
    trans_fat bigint,
    cholesterol bigint,
    potassium bigint,
    calcium bigint,
    iron bigint,
    vitamin_d bigint
);
CREATE TABLE diary_goals (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    from_date text NOT NULL COLLATE pg_catalog."C",
    calories bigint,
    protein bigint,
    carbs bigint,
    fat bigint,
    fiber bigint,
    sodium bigint,
    sugars bigint,
    added_sugars bigint,
    saturated_fat bigint,
    trans_fat bigint,
    cholesterol bigint,
    potassium bigint,
    calcium bigint,
    iron bigint,
    vitamin_d bigint
);
CREATE TABLE diary_recipes (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    name text NOT NULL,
    servings double precision NOT NULL,
    ingredients text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    yield_grams double precision
);
CREATE TABLE idempotent_requests (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    idempotency_key text NOT NULL,
    fingerprint bytea NOT NULL,
    claim_id text NOT NULL,
    claimed_at_ms bigint NOT NULL,
    claimed_until_ms bigint NOT NULL,
    status integer,
    headers text,
    body text,
    subject_user_id text DEFAULT ''::text NOT NULL,
    attempt integer DEFAULT 1 NOT NULL
);
CREATE TABLE kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE live_food_usage (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    foods bigint NOT NULL,
    words bigint NOT NULL
);
CREATE TABLE live_foods (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    food text,
    words integer DEFAULT 0 NOT NULL,
    user_id text COLLATE pg_catalog."C",
    user_food text
);
CREATE TABLE scans (
    tenant_id text NOT NULL,
    id text NOT NULL,
    user_id text NOT NULL,
    client_id text NOT NULL,
    content_type text NOT NULL,
    image_type text NOT NULL,
    status text NOT NULL,
    created_at_ms bigint NOT NULL,
    upload_expires_at_ms bigint NOT NULL,
    settled_at_ms bigint,
    result text,
    failure text,
    due_at_ms bigint,
    is_leased integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    fencing_token integer DEFAULT 0 NOT NULL,
    has_image integer DEFAULT 1 NOT NULL,
    tenant_turn bigint DEFAULT 0 NOT NULL,
    user_turn bigint DEFAULT 0 NOT NULL,
    image_bytes integer DEFAULT 10485760 NOT NULL
);
CREATE TABLE signing_keys (
    kid text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    private_jwk text NOT NULL
);
INSERT INTO api_keys VALUES ('k1', 'acme', 'app', '\x0a0b', 'diary:read', NULL, 1769860800, NULL, NULL);
INSERT INTO catalogue_activations VALUES (1, 'c1', NULL, 1);
INSERT INTO catalogue_versions VALUES ('c1', 1, 1, 5, 3, 4, 5, '{a,b}');
INSERT INTO diary_entries VALUES ('acme', 'ana', '2026-01-31', '01KG0000000000000000000001', 1, 'lunch', 'Lentil soup', 120500, 9000, 123, 0, 4000, NULL, 'manual', NULL, NULL, NULL, NULL, NULL, 1769860800000, 1769860800000, 0, 0, 0, 0, 0, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO diary_entries VALUES ('acme', 'ana', '2026-01-31', '01KG0000000000000000000002', 1, 'lunch', 'Banana, raw', 485, 4, 115, 1, NULL, NULL, 'manual', 'fdc:7', NULL, NULL, 0.5, 'g', 1769860800000, 1769860800000, 0, -300000, 0, 450000, 0, 0, 1, '[[0,-300000,0,450000,0,0,-333333,0,0,0,0,0,0,300000],100,"g",[97,0.74,23,0.29,null,null,0.3333333333333333,null,null,null,null,null,null,0.26],["g",[[1,"banana",126]]]]', '2026-01-31T12:30:00+01:00', 'ripe', 1666667, NULL, NULL, NULL, NULL, NULL, NULL, 1300000, NULL);
INSERT INTO diary_entries VALUES ('acme', 'ana', '2026-01-31', '01KG0000000000000000000003', 2, 'snacks', 'Banana, raw', 485, 9, 115, 1, NULL, NULL, 'manual', 'fdc:7', NULL, NULL, 0.5, 'g', 1769860800000, 1769860800000, 0, -300000, 0, 450000, 0, 0, 1, '[[0,-300000,0,450000,0,0,-333333,0,0,0,0,0,0,300000],100,"g",[97,0.74,23,0.29,null,null,0.3333333333333333,null,null,null,null,null,null,0.26],["g",[[1,"banana",126]]]]', '2026-01-31T12:30:00+01:00', 'ripe', 1666667, NULL, NULL, NULL, NULL, NULL, NULL, 1300000, NULL);
INSERT INTO diary_entries VALUES ('acme', 'ana', '2026-02-01', '01KG0000000000000000000004', 1, 'lunch', 'Lentil soup', 120500, 9000, 123, 0, 4000, NULL, 'manual', NULL, NULL, NULL, NULL, NULL, 1769860800000, 1769860800000, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO diary_goals VALUES ('acme', 'ana', '0000-00-00', 2000000, 80000, 1000, 1000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO diary_recipes VALUES ('acme', 'ana', '01KG0000000000000000000005', 1, 'Stew', 4, '[{"name":"Bean","amounts":{"calories":120500,"protein":9000,"carbs":123,"fat":0,"fiber":4000}}]', 1769860800000, 1769860800000, 812.5);
INSERT INTO idempotent_requests VALUES ('acme', 'ana', 'key-1', '\x0102', 'claim-1', 1769860800000, 1769860830000, 201, '{"location":"/x"}', '{}', 'ana', 1);
INSERT INTO kysely_migration VALUES ('0001-access', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0002-diary', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0003-live-foods', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0004-repeated-requests', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0005-live-food-changes', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0006-scans', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0007-catalogues', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0008-scans-by-owner', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0009-settled-scans', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0010-exact-amounts', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0011-scan-turns', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0012-live-food-usage', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0013-food-owners', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0014-stored-images', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0015-live-keys', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0016-entry-notes', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0017-all-nutrients', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0018-recipe-yields', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration VALUES ('0019-image-bytes', '2026-11-26T04:10:00.000Z');
INSERT INTO kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO live_food_usage VALUES ('acme', 2, 4);
INSERT INTO live_foods VALUES ('acme', 'manual:shared', 1, '{"id":"manual:shared","source":"manual_entry","name":"Plum pie","aliases":[],"basis":"g","per100":{"energy":120,"protein":4.2,"fat":3.1,"carbohydrates":17.5},"servings":[{"value":100,"unit":"g","basisAmount":100}],"popularity":100,"createdAt":1700000000,"updatedAt":1700000000}', 2, NULL, NULL);
INSERT INTO live_foods VALUES ('acme', 'manual:of-ann', 2, NULL, 2, 'ann', '{"id":"manual:of-ann","source":"manual_entry","name":"Plum jam","aliases":[],"basis":"g","per100":{"energy":120,"protein":4.2,"fat":3.1,"carbohydrates":17.5},"servings":[{"value":100,"unit":"g","basisAmount":100}],"popularity":100,"createdAt":1700000000,"updatedAt":1700000000,"userId":"ann"}');
INSERT INTO live_foods VALUES ('acme', 'manual:gone', 4, NULL, 0, NULL, NULL);
INSERT INTO scans VALUES ('acme', '01kg00000000000000000000s1', '', 'phone-1', 'image/jpeg', 'photo', 'upload_pending', 1000, 901000, NULL, NULL, NULL, NULL, 0, 0, 0, 1, 0, 0, 1000);
INSERT INTO scans VALUES ('acme', '01kg00000000000000000000s2', 'ana', 'phone-1', 'image/jpeg', 'photo', 'processing', 1000, 901000, NULL, NULL, NULL, 2000, 0, 0, 0, 1, 1, 1, 500);
INSERT INTO signing_keys VALUES ('s1', 1769860800, '{"kty":"EC"}');
ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue_activations
    ADD CONSTRAINT catalogue_activations_pkey PRIMARY KEY (number);
ALTER TABLE ONLY catalogue_versions
    ADD CONSTRAINT catalogue_versions_pkey PRIMARY KEY (name);
ALTER TABLE ONLY diary_entries
    ADD CONSTRAINT diary_entries_pkey PRIMARY KEY (tenant_id, user_id, date, id);
ALTER TABLE ONLY diary_goals
    ADD CONSTRAINT diary_goals_pkey PRIMARY KEY (tenant_id, user_id, from_date);
ALTER TABLE ONLY diary_recipes
    ADD CONSTRAINT diary_recipes_pkey PRIMARY KEY (tenant_id, user_id, id);
ALTER TABLE ONLY idempotent_requests
    ADD CONSTRAINT idempotent_requests_pkey PRIMARY KEY (tenant_id, user_id, idempotency_key);
ALTER TABLE ONLY kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY live_food_usage
    ADD CONSTRAINT live_food_usage_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY live_foods
    ADD CONSTRAINT live_foods_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY scans
    ADD CONSTRAINT scans_pkey PRIMARY KEY (tenant_id, user_id, id);
ALTER TABLE ONLY signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);
CREATE INDEX api_keys_by_end ON api_keys USING btree (tenant_id, COALESCE(revoked_at, expires_at, '9007199254740991'::bigint));
CREATE INDEX api_keys_by_tenant ON api_keys USING btree (tenant_id, id);
CREATE UNIQUE INDEX diary_entries_by_id ON diary_entries USING btree (tenant_id, user_id, id);
CREATE INDEX idempotent_requests_by_age ON idempotent_requests USING btree (claimed_at_ms);
CREATE INDEX idempotent_requests_by_subject ON idempotent_requests USING btree (tenant_id, subject_user_id);
CREATE UNIQUE INDEX live_foods_by_revision ON live_foods USING btree (revision);
CREATE INDEX live_foods_by_user ON live_foods USING btree (tenant_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX live_foods_gone ON live_foods USING btree (revision) WHERE ((food IS NULL) AND (user_food IS NULL));
CREATE INDEX live_foods_shared ON live_foods USING btree (revision) WHERE ((tenant_id = '*'::text) AND (food IS NOT NULL));
CREATE INDEX scans_awaiting_upload ON scans USING btree (created_at_ms) WHERE (status = 'upload_pending'::text);
CREATE INDEX scans_by_id ON scans USING btree (id);
CREATE INDEX scans_by_image_bytes ON scans USING btree (tenant_id, image_bytes) WHERE (has_image = 1);
CREATE INDEX scans_by_tenant_turn ON scans USING btree (tenant_turn, due_at_ms, id) WHERE (due_at_ms IS NOT NULL);
CREATE INDEX scans_by_user_turn ON scans USING btree (tenant_id, user_turn, due_at_ms, id) WHERE (due_at_ms IS NOT NULL);
CREATE INDEX scans_last_turn ON scans USING btree (tenant_id, tenant_turn) WHERE (settled_at_ms IS NULL);
CREATE INDEX scans_settled ON scans USING btree (settled_at_ms) WHERE (settled_at_ms IS NOT NULL);
CREATE INDEX scans_to_work_on ON scans USING btree (due_at_ms, id) WHERE (status = 'processing'::text);
CREATE INDEX scans_unfinished ON scans USING btree (tenant_id, user_id, user_turn) WHERE (settled_at_ms IS NULL);
CREATE INDEX scans_with_old_image ON scans USING btree (settled_at_ms) WHERE ((has_image = 1) AND (settled_at_ms IS NOT NULL));
CREATE TRIGGER live_food_changed AFTER INSERT OR UPDATE ON live_foods FOR EACH ROW EXECUTE FUNCTION notify_live_food();
CREATE TRIGGER live_food_counted AFTER INSERT OR DELETE OR UPDATE ON live_foods FOR EACH ROW EXECUTE FUNCTION count_live_food();
CREATE TRIGGER scan_of_nobody BEFORE INSERT OR UPDATE OF user_id ON scans FOR EACH ROW EXECUTE FUNCTION scan_of_nobody();
