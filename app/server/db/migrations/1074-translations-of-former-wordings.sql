-- Each former wording of an official answer has an id, by which readers can have it translated. The database gives it to those that have none:
-- they were stored before this release, or by processes of the release before.
create function number_former_wordings() returns trigger language plpgsql as $$
begin
  new.former := (
    select jsonb_agg(case when wording ? 'id' then wording else jsonb_build_object('id', gen_random_uuid()) || wording end order by place)
    from jsonb_array_elements(new.former) with ordinality as former (wording, place)
  );
  return new;
end $$;
create trigger former_wordings_numbered before insert or update of former on official_responses for each row
  when (jsonb_typeof(new.former) = 'array' and new.former <> '[]') execute function number_former_wordings();
alter table official_responses no force row level security;
update official_responses set former = former where former <> '[]';

-- A wording that is no longer public loses its translations.
create function forget_wording_translations() returns trigger language plpgsql as $$
begin
  delete from text_translations
  where site_id = old.site_id and source_type = 'official-response-wordings' and source_id in (
    select (wording ->> 'id')::uuid from jsonb_array_elements(old.former) as former (wording)
    where tg_op = 'DELETE' or new.withdrawn_at is not null or new.visibility <> 'public' or not new.former @> jsonb_build_array(wording)
  );
  return null;
end $$;
create trigger wording_translations_forgotten after update of former, visibility, withdrawn_at on official_responses for each row
  when (jsonb_typeof(old.former) = 'array' and old.former <> '[]' and (old.former, old.visibility, old.withdrawn_at) is distinct from (new.former, new.visibility, new.withdrawn_at))
  execute function forget_wording_translations();
create trigger wording_translations_deleted after delete on official_responses for each row
  when (jsonb_typeof(old.former) = 'array' and old.former <> '[]') execute function forget_wording_translations();
