-- Written texts that a second person codes without seeing the first codes, to say how well two people agree.
create table coding_samples (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  source text not null,                           -- as in theme_suggestion_runs
  language text,                                  -- of the texts; all if null
  seed text not null,                             -- texts were drawn in the order of md5(seed, id of the text, question)
  size integer not null check (size between 1 and 500),
  drawn_from integer not null,                    -- texts that others had read and nobody had read twice
  coder_id uuid not null,                         -- reads them second
  created_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index coding_samples_project on coding_samples (site_id, project_id, source, created_at);

create table coding_sample_texts (
  site_id uuid not null,
  id uuid not null,
  sample_id uuid not null,
  response_id uuid,
  contribution_id uuid,
  reply_id uuid,
  question text not null default '',
  version integer not null,                       -- of the survey for a response, else of the text itself
  read_at timestamptz,                            -- by the second person
  primary key (site_id, id),
  check (num_nonnulls(response_id, contribution_id, reply_id) = 1),
  foreign key (site_id, sample_id) references coding_samples (site_id, id) on delete cascade,
  foreign key (site_id, response_id) references responses (site_id, id) on delete cascade,
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, reply_id) references replies (site_id, id) on delete cascade
);
-- No text is read twice for two samples.
create unique index coding_sample_texts_once on coding_sample_texts (site_id, coalesce(response_id, contribution_id, reply_id), question);
create index coding_sample_texts_sample on coding_sample_texts (site_id, sample_id);
create index coding_sample_texts_response on coding_sample_texts (site_id, response_id) where response_id is not null;
create index coding_sample_texts_contribution on coding_sample_texts (site_id, contribution_id) where contribution_id is not null;
create index coding_sample_texts_reply on coding_sample_texts (site_id, reply_id) where reply_id is not null;

-- What each of the two gave. The first codes are those of the moment when the sample was drawn; they stay as they were when the two agree.
create table coding_sample_codes (
  site_id uuid not null,
  id uuid not null,
  text_id uuid not null,
  theme_id uuid not null,
  reading text not null check (reading in ('first', 'second')),
  coder_id uuid,
  start_at integer not null default 0,            -- in characters; both are 0 for the whole text
  end_at integer not null default 0,
  is_agreed boolean,                              -- what the two agreed on, where only one of them gave the theme
  settled_by uuid,
  settled_at timestamptz,
  primary key (site_id, id),
  unique (site_id, text_id, reading, theme_id, start_at, end_at),
  check (start_at >= 0 and end_at >= start_at),
  foreign key (site_id, text_id) references coding_sample_texts (site_id, id) on delete cascade,
  foreign key (site_id, theme_id) references themes (site_id, id) on delete cascade
);
create index coding_sample_codes_theme on coding_sample_codes (site_id, theme_id);

-- A text that is changed or taken away was read by two in words that are no longer there.
create function drop_sample_texts() returns trigger language plpgsql as $$
begin
  delete from coding_sample_texts where site_id = new.site_id and (response_id = new.id or contribution_id = new.id or reply_id = new.id);
  return null;
end $$;
create function drop_sample_answers() returns trigger language plpgsql as $$
begin
  delete from coding_sample_texts t where t.site_id = new.site_id and t.response_id = new.id
    and (new.withdrawn_at is not null or not new.counted or (new.answers -> t.question) is distinct from (old.answers -> t.question));
  return null;
end $$;
create trigger sample_texts_of_answers after update of answers, withdrawn_at, counted on responses for each row
  when (old.answers is distinct from new.answers or old.withdrawn_at is distinct from new.withdrawn_at or old.counted is distinct from new.counted)
  execute function drop_sample_answers();
create trigger sample_texts_of_contributions after update of state, version on contributions for each row
  when (new.state not in ('published', 'merged') or old.version is distinct from new.version) execute function drop_sample_texts();
create trigger sample_texts_of_replies after update of state, version on replies for each row
  when (new.state <> 'published' or old.version is distinct from new.version) execute function drop_sample_texts();
