import type { SchemaDialect } from './schema-dialect.ts';

/** Notify listening nodes of the tenant whose foods were written. */
export const NOTIFY_OF_FOODS: readonly string[] = [
  `create or replace function notify_live_food() returns trigger language plpgsql as $$
    begin
      perform pg_notify('larder_live_foods', coalesce(new.tenant_id, old.tenant_id));
      return null;
    end
  $$`,
  `create trigger live_food_changed after insert or update or delete on live_foods
    for each row execute function notify_live_food()`,
];

/** Count the foods and words of each tenant; in PostgreSQL they also notify listening nodes of each write. */
export const FOOD_TRIGGERS: Readonly<Record<SchemaDialect, readonly string[]>> = {
  sqlite: [
    `create trigger live_food_added after insert on live_foods when new.food is not null begin
      insert into live_food_usage values (new.tenant_id, 1, new.words)
        on conflict (tenant_id) do update set foods = foods + 1, words = words + excluded.words;
    end`,
    `create trigger live_food_changed after update on live_foods begin
      update live_food_usage set
        foods = foods + (new.food is not null) - (old.food is not null),
        words = words + iif(new.food is null, 0, new.words) - iif(old.food is null, 0, old.words)
      where tenant_id = new.tenant_id;
    end`,
    `create trigger live_food_removed after delete on live_foods when old.food is not null begin
      update live_food_usage set foods = foods - 1, words = words - old.words where tenant_id = old.tenant_id;
    end`,
  ],
  postgres: [
    ...NOTIFY_OF_FOODS,
    `create or replace function count_live_food() returns trigger language plpgsql as $$
      declare
        food_change integer := 0;
        word_change integer := 0;
      begin
        if tg_op <> 'DELETE' and new.food is not null then
          food_change := 1;
          word_change := new.words;
        end if;
        if tg_op <> 'INSERT' and old.food is not null then
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
    $$`,
    `create trigger live_food_counted after insert or update or delete on live_foods
      for each row execute function count_live_food()`,
  ],
};
