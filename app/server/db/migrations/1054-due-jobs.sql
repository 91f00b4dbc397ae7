-- When each job is due: a process that moves it runs the job. The tables of the job queue before, in the schema pgboss, are used by nobody but
-- processes of the release before; the next release drops them.
alter table job_turns add column due_at timestamptz;
