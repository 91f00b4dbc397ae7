-- Translations of contributions, replies and official answers that readers asked for, by a machine until somebody of the team corrects them.
create table text_translations (
  site_id uuid not null references sites (id) on delete cascade,
  id uuid not null,
  contribution_id uuid not null,                  -- the contribution itself, or the one that was replied to or answered
  source_type text not null,
  source_id uuid not null,
  language text not null,                         -- into which it is translated
  source_language text not null,
  source_hash text not null,                      -- SHA-256 of what was translated: a source that says something else has no translation
  texts jsonb,                                    -- by field: title, body, fields.<question>; null while the service is asked
  service text not null,                          -- its name, as readers are shown it
  claimed_until timestamptz,                      -- until when whoever asked first waits for the service
  created_at timestamptz not null default now(),
  corrected_at timestamptz,
  corrected_by uuid,
  team text not null default '',                  -- in whose name it was corrected
  lock_version integer not null default 1,
  primary key (site_id, id),
  unique (site_id, source_type, source_id, language),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, corrected_by) references users (site_id, id) on delete set null (corrected_by),
  constraint text_translations_source check (source_type in ('contributions', 'replies', 'official-responses'))
);
create index text_translations_contribution on text_translations (site_id, contribution_id, language);
create index text_translations_source_id on text_translations (site_id, source_id);
create index text_translations_corrected_by on text_translations (site_id, corrected_by) where corrected_by is not null;
call content_of('text_translations', '{contribution_id}', '{lock_version}');

-- Whatever changes a text, or takes it from the public, takes its translations with it: no writer has to remember them.
create function forget_text_translations() returns trigger language plpgsql as $$
begin
  delete from text_translations where site_id = old.site_id and source_id = old.id;
  return null;
end $$;
create function forget_translations_below() returns trigger language plpgsql as $$
begin
  delete from text_translations where site_id = old.site_id and contribution_id = old.id;
  return null;
end $$;
create trigger text_translations_forgotten after update of title, body, fields, language on contributions for each row
  when ((old.title, old.body, old.fields, old.language) is distinct from (new.title, new.body, new.fields, new.language))
  execute function forget_text_translations();
create trigger translations_below_forgotten after update of state on contributions for each row
  when (new.state not in ('published', 'merged') and old.state in ('published', 'merged'))
  execute function forget_translations_below();
create trigger text_translations_forgotten after update of body, language, state on replies for each row
  when ((old.body, old.language) is distinct from (new.body, new.language) or new.state <> 'published')
  execute function forget_text_translations();
create trigger text_translations_deleted after delete on replies for each row execute function forget_text_translations();
create trigger text_translations_forgotten after update of text, visibility, withdrawn_at, withdrawal_reason on official_responses for each row
  when ((old.text, old.visibility, old.withdrawn_at, old.withdrawal_reason)
    is distinct from (new.text, new.visibility, new.withdrawn_at, new.withdrawal_reason))
  execute function forget_text_translations();
create trigger text_translations_deleted after delete on official_responses for each row execute function forget_text_translations();
