-- A moderator's answer to an author who objects to a merge, if the two stay together.
alter table contribution_links
  add column objection_answer text not null default '',
  add column objection_answered_at timestamptz;
