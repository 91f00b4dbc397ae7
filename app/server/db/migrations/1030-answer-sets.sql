-- One official answer in words for many contributions at once, where a second person agrees to it. Each that was answered leaves the list of
-- those that still are to be; the row ends with the last one.
create table official_answer_sets (
  site_id uuid not null,
  id uuid not null,                               -- also `official_responses.group_id` of its answers
  contribution_ids uuid[] not null,               -- still to be answered
  status_id uuid,                                 -- of one of their activities; null: each keeps its own
  text jsonb not null default '{}',
  team jsonb not null default '{}',
  waived text[] not null default '{}',            -- languages that are knowingly missing, as `text.cy`
  written_by uuid,                                -- who changed it last
  written_at timestamptz not null,
  asked_by uuid,                                  -- who asked a colleague to agree; null: nobody
  asked_at timestamptz,
  returned_by uuid,                               -- who did not agree last
  returned_at timestamptz,
  return_reason text not null default '',
  agreed_by uuid,
  agreed_at timestamptz,                          -- since then it is being sent
  sent integer not null default 0,
  lock_version integer not null default 1,
  primary key (site_id, id),
  foreign key (site_id, status_id) references contribution_statuses (site_id, id) on delete set null (status_id),
  foreign key (site_id, written_by) references users (site_id, id) on delete set null (written_by),
  foreign key (site_id, asked_by) references users (site_id, id) on delete set null (asked_by),
  foreign key (site_id, returned_by) references users (site_id, id) on delete set null (returned_by),
  foreign key (site_id, agreed_by) references users (site_id, id) on delete set null (agreed_by)
);
create index official_answer_sets_status on official_answer_sets (site_id, status_id) where status_id is not null;
create index official_answer_sets_written on official_answer_sets (site_id, written_by) where written_by is not null;
create index official_answer_sets_asked on official_answer_sets (site_id, asked_by) where asked_by is not null;
create index official_answer_sets_returned on official_answer_sets (site_id, returned_by) where returned_by is not null;
create index official_answer_sets_agreed on official_answer_sets (site_id, agreed_by) where agreed_by is not null;
