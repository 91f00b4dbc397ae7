-- Suggestions of themes: texts of one question or activity, and one language, that share their words. Made in the background on this machine;
-- nothing counts until a person confirms it.
create table theme_suggestion_runs (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  source text not null,                           -- a survey's question, or an activity's contributions or replies: `question:<survey>:<question>`
  language text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  progress integer not null default 0,            -- percent
  attempts integer not null default 0,
  texts integer,                                  -- that were read
  texts_alike integer,                            -- of these, in a suggestion
  created_by uuid,
  created_at timestamptz not null,
  alive_at timestamptz,                           -- last heartbeat of its process while it runs
  lease uuid,                                     -- of the worker that makes it; one that was given up must not finish it as well
  finished_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
-- Two people who ask at once get the same suggestions.
create unique index theme_suggestion_runs_once on theme_suggestion_runs (site_id, project_id, source, language)
  where state in ('waiting', 'running');
create index theme_suggestion_runs_project on theme_suggestion_runs (site_id, project_id, source, language, created_at);

create table theme_suggestions (
  site_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  project_id uuid not null,
  position integer not null,
  label jsonb not null,                           -- the strongest words and phrases, in a list
  texts integer not null,                         -- that are alike
  state text not null default 'suggested' check (state in ('suggested', 'confirmed', 'rejected')),
  theme_id uuid,                                  -- that it became or joined
  has_new_theme boolean not null default false,
  decided_by uuid,
  decided_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, run_id) references theme_suggestion_runs (site_id, id) on delete cascade,
  foreign key (site_id, theme_id) references themes (site_id, id) on delete set null (theme_id)
);
create index theme_suggestions_run on theme_suggestions (site_id, run_id, position);
create index theme_suggestions_theme on theme_suggestions (site_id, theme_id) where theme_id is not null;

-- Where the clearest texts say it. The words themselves stay where they are: a passage whose text is gone or changed is gone.
create table theme_suggestion_passages (
  site_id uuid not null,
  id uuid not null,
  suggestion_id uuid not null,
  position integer not null,
  response_id uuid,
  contribution_id uuid,
  reply_id uuid,
  question text not null default '',
  version integer not null,                       -- of the survey for a response, else of the text itself
  start_at integer not null,                      -- in characters; both are 0 for the whole text
  end_at integer not null,
  primary key (site_id, id),
  check (num_nonnulls(response_id, contribution_id, reply_id) = 1),
  foreign key (site_id, suggestion_id) references theme_suggestions (site_id, id) on delete cascade,
  foreign key (site_id, response_id) references responses (site_id, id) on delete cascade,
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, reply_id) references replies (site_id, id) on delete cascade
);
create index theme_suggestion_passages_suggestion on theme_suggestion_passages (site_id, suggestion_id, position);
create index theme_suggestion_passages_response on theme_suggestion_passages (site_id, response_id) where response_id is not null;
create index theme_suggestion_passages_contribution on theme_suggestion_passages (site_id, contribution_id) where contribution_id is not null;
create index theme_suggestion_passages_reply on theme_suggestion_passages (site_id, reply_id) where reply_id is not null;

-- The suggestion that evidence was confirmed from.
alter table theme_evidence add column suggestion_id uuid;
alter table theme_evidence add foreign key (site_id, suggestion_id)
  references theme_suggestions (site_id, id) on delete set null (suggestion_id);
create index theme_evidence_suggestion on theme_evidence (site_id, suggestion_id) where suggestion_id is not null;
call content_of('theme_evidence', '{project_id}', shown => 'this.published_version is not null');

-- An answer that changes keeps its survey's version: what was suggested from it goes, as evidence does.
create or replace function drop_evidence_of_answers() returns trigger language plpgsql as $$
begin
  delete from theme_evidence e where e.site_id = new.site_id and e.response_id = new.id
    and (new.withdrawn_at is not null or (new.answers -> e.question) is distinct from (old.answers -> e.question));
  delete from theme_suggestion_passages p where p.site_id = new.site_id and p.response_id = new.id
    and (new.withdrawn_at is not null or (new.answers -> p.question) is distinct from (old.answers -> p.question));
  delete from theme_readings r where r.site_id = new.site_id and r.source_id = new.id
    and (new.withdrawn_at is not null or (new.answers -> r.question) is distinct from (old.answers -> r.question));
  return null;
end $$;

-- Adds one branch to `sites_with_work`, whatever the others are.
do $$
declare
  known text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  next_branch constant text := 'when ''make-response-blocks'' then';
begin
  if position(next_branch in known) = 0 then
    raise exception 'sites_with_work has no branch for make-response-blocks';
  end if;
  execute replace(known, next_branch, 'when ''suggest-themes'' then
      return query select distinct r.site_id from theme_suggestion_runs r where r.state in (''waiting'', ''running'');
    ' || next_branch);
end $$;
