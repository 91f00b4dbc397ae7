-- An official answer that is being written, one for each contribution: the whole team sees it, and a second person agrees to it where the site
-- wants that.
create table official_response_drafts (
  site_id uuid not null,
  id uuid not null,
  contribution_id uuid not null,
  status_id uuid,
  text jsonb not null default '{}',
  team jsonb not null default '{}',
  visibility text not null default 'public' check (visibility in ('public', 'private')),
  also_to uuid[] not null default '{}',           -- other contributions that get the same answer
  waived text[] not null default '{}',            -- languages that are knowingly missing, as `text.cy`
  written_by uuid,                                -- who changed it last
  written_at timestamptz not null,
  asked_by uuid,                                  -- who asked a colleague to agree; null: nobody
  asked_at timestamptz,
  returned_by uuid,                               -- who did not agree last
  returned_at timestamptz,
  return_reason text not null default '',
  lock_version integer not null default 1,
  primary key (site_id, id),
  unique (site_id, contribution_id),
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, status_id) references contribution_statuses (site_id, id) on delete set null (status_id),
  foreign key (site_id, written_by) references users (site_id, id) on delete set null (written_by),
  foreign key (site_id, asked_by) references users (site_id, id) on delete set null (asked_by),
  foreign key (site_id, returned_by) references users (site_id, id) on delete set null (returned_by)
);
create index official_response_drafts_status on official_response_drafts (site_id, status_id) where status_id is not null;
create index official_response_drafts_written on official_response_drafts (site_id, written_by) where written_by is not null;
create index official_response_drafts_asked on official_response_drafts (site_id, asked_by) where asked_by is not null;
create index official_response_drafts_returned on official_response_drafts (site_id, returned_by) where returned_by is not null;

alter table moderation_settings add column answers_need_agreement boolean not null default false;
call content_of('moderation_settings', ignored => '{lock_version}');
