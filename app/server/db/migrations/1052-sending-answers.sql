-- Answers to many are sent by a job, also if nobody has to agree to them.
alter table official_answer_sets no force row level security;
alter table official_answer_sets add column state text not null default 'draft';
alter table official_answer_sets add column handled integer not null default 0;    -- contributions, in their order, that got it or could not
alter table official_answer_sets add column refused jsonb not null default '[]';   -- [{ id, reason }] of those that could not
alter table official_answer_sets add column created_at timestamptz not null default now();
alter table official_answer_sets add column alive_at timestamptz;
alter table official_answer_sets add column lease uuid;
alter table official_answer_sets add column finished_at timestamptz;
alter table official_answer_sets add constraint official_answer_sets_state
  check (state in ('draft', 'waiting', 'running', 'done', 'failed', 'cancelled'));
-- What was sent in part left the list of contributions. The job sends the rest.
update official_answer_sets set state = 'waiting', sent = 0 where agreed_at is not null;

-- Adds one branch to `sites_with_work`, whatever the others are.
do $$
declare
  known text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  next_branch constant text := 'when ''make-response-blocks'' then';
begin
  if position(next_branch in known) = 0 then
    raise exception 'sites_with_work has no branch for make-response-blocks';
  end if;
  execute replace(known, next_branch, 'when ''send-answers'' then
      return query select distinct s.site_id from official_answer_sets s
        where s.state in (''waiting'', ''running'') or s.finished_at < sites_with_work.at - interval ''7 days'';
    ' || next_branch);
end $$;
