-- Translations whose source changed after. A pair of texts is known by its hash and by what it belongs to: it stops being stale as soon as either of
-- them changes, wherever it moves meanwhile, and a draft and what is published share it.
create table stale_translations (
  site_id uuid not null references sites (id) on delete cascade,
  subject_id uuid not null,                       -- page, update, project, survey, activity, newsletter, department; the site for its own homepage
  language text not null,
  pair_hash text not null,                        -- SHA-256 of the source and the translation
  former_source text not null,                    -- what the source said when it was translated
  changed_at timestamptz not null,
  primary key (site_id, subject_id, language, pair_hash)
);

create function forget_stale_translations() returns trigger language plpgsql as $$
begin
  delete from stale_translations where site_id = old.site_id and subject_id = old.id;
  return null;
end $$;
create trigger translations_forgotten after delete on pages for each row execute function forget_stale_translations();
create trigger translations_forgotten after delete on project_updates for each row execute function forget_stale_translations();
create trigger translations_forgotten after delete on projects for each row execute function forget_stale_translations();
create trigger translations_forgotten after delete on hubs for each row execute function forget_stale_translations();
create trigger translations_forgotten after delete on activities for each row execute function forget_stale_translations();
create trigger translations_forgotten after delete on surveys for each row execute function forget_stale_translations();
create trigger translations_forgotten after delete on campaigns for each row execute function forget_stale_translations();
create trigger translations_forgotten after delete on official_responses for each row execute function forget_stale_translations();
