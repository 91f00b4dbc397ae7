-- The job `sweep` also has work on sites with answers about people that are older than their question's retention.
do $$
declare
  before text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  mark constant text := 'return query select r.site_id from rate_limits r where';
  after text := replace(before, mark, 'return query select q.site_id from profile_questions q where exists (select from profile_answers a
        where a.site_id = q.site_id and a.question_id = q.id and a.answered_at < sites_with_work.at - make_interval(months => q.retention_months));
      ' || mark);
begin
  if after = before then
    raise exception 'sites_with_work has no such line: %', mark;
  end if;
  execute after;
end $$;
