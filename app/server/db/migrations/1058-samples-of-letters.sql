-- The random sample that a batch of codes went to: how many letters were sent, from which list, and how many are on it.
alter table invitation_batches add column sample jsonb;

-- Some answers may have come without a code of the batches that still exist.
alter table surveys add column sample_broken boolean not null default false;
call content_of('surveys', '{project_id,id}', '{responses_count,responses_numbered,lock_version}', $$this.status <> 'draft'$$);

-- How earlier answers came was not recorded.
alter table surveys no force row level security;
update surveys set sample_broken = true where responses_count > 0 or responses_numbered > 0;
