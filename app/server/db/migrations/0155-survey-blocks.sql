-- Responses of a survey in the order in which they were stored, each with a number. Full blocks of 8,192 numbers are kept a second time as
-- strings of bits: one for each thing that was said, with a 1 at the place of each response that said it. A part of the responses is then
-- counted by laying bits over bits, and not by reading every answer. They follow from `responses` alone and are made in the background.
alter table surveys add column responses_numbered integer not null default 0;
alter table responses add column number integer;
update responses r set number = n.number from (
  select site_id, id, row_number() over (partition by site_id, survey_id order by submitted_at, id) - 1 as number from responses
) n where n.site_id = r.site_id and n.id = r.id;
update surveys s set responses_numbered = (select count(*) from responses r where r.site_id = s.site_id and r.survey_id = s.id);
create index responses_number on responses (site_id, survey_id, number);

-- A block that holds a response whose answers were changed or taken back is removed in the same transaction, and made anew.
create table survey_blocks (
  site_id uuid not null,
  survey_id uuid not null,
  block integer not null,
  complete boolean not null default false,             -- false while it is being made
  first_at timestamptz,                                -- of its responses; none where all were taken back
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
  digit smallint not null,                             -- -1: who said it; else a binary digit of the number that was given
  weight double precision not null,                    -- what each 1 adds to the total
  bits bit(8192) not null,
  primary key (site_id, survey_id, block, question, value, digit),
  foreign key (site_id, survey_id, block) references survey_blocks (site_id, survey_id, block) on delete cascade
);
