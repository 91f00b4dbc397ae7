-- Responses of a survey, numbered in the order they were stored. Full blocks of 8,192 numbers are also stored as bitmaps: one per answer
-- value, with a 1 for each response that gave it. A subset of responses is then counted by combining bitmaps instead of reading every
-- answer. They are derived from `responses` and built in the background.
alter table surveys add column responses_numbered integer not null default 0;
alter table responses add column number integer;
update responses r set number = n.number from (
  select site_id, id, row_number() over (partition by site_id, survey_id order by submitted_at, id) - 1 as number from responses
) n where n.site_id = r.site_id and n.id = r.id;
update surveys s set responses_numbered = (select count(*) from responses r where r.site_id = s.site_id and r.survey_id = s.id);
create index responses_number on responses (site_id, survey_id, number);

-- A block with an edited or withdrawn response is deleted in the same transaction and rebuilt.
create table survey_blocks (
  site_id uuid not null,
  survey_id uuid not null,
  block integer not null,
  complete boolean not null default false,             -- false while it is being built
  first_at timestamptz,                                -- of its responses; null if all were withdrawn
  last_at timestamptz,
  primary key (site_id, survey_id, block),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

create table survey_block_bits (
  site_id uuid not null,
  survey_id uuid not null,
  block integer not null,
  question text not null,
  value text not null,
  digit smallint not null,                             -- -1: who gave it; else a binary digit of the number given
  weight double precision not null,                    -- what each 1 adds to the total
  bits bit(8192) not null,
  primary key (site_id, survey_id, block, question, value, digit),
  foreign key (site_id, survey_id, block) references survey_blocks (site_id, survey_id, block) on delete cascade
);
