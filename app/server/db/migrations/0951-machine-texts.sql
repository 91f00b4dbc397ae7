-- Texts of the site as a machine translated them: a pair of texts that is still as the machine wrote it, until somebody confirms it. As with
-- `stale_translations`, a pair is known by its hash, so that whatever changes one of the texts ends it.
create table machine_texts (
  site_id uuid not null references sites (id) on delete cascade,
  subject_id uuid not null,                       -- page, update, project, survey, activity, newsletter, department; the site for its own homepage
  language text not null,
  pair_hash text not null,                        -- SHA-256 of the source and the translation
  service text not null,                          -- its name
  translated_at timestamptz not null,
  primary key (site_id, subject_id, language, pair_hash)
);

create function forget_machine_texts() returns trigger language plpgsql as $$
begin
  delete from machine_texts where site_id = old.site_id and subject_id = old.id;
  return null;
end $$;
create trigger machine_texts_forgotten after delete on pages for each row execute function forget_machine_texts();
create trigger machine_texts_forgotten after delete on project_updates for each row execute function forget_machine_texts();
create trigger machine_texts_forgotten after delete on projects for each row execute function forget_machine_texts();
create trigger machine_texts_forgotten after delete on hubs for each row execute function forget_machine_texts();
create trigger machine_texts_forgotten after delete on activities for each row execute function forget_machine_texts();
create trigger machine_texts_forgotten after delete on surveys for each row execute function forget_machine_texts();
create trigger machine_texts_forgotten after delete on campaigns for each row execute function forget_machine_texts();
