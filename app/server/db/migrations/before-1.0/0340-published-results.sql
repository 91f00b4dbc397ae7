-- A survey's published figures: a snapshot that is shown until at least five more people have responded and an hour has passed.
create table survey_publications (
  site_id uuid not null,
  survey_id uuid not null,
  part text not null default '',                           -- '' for everybody; otherwise `area:` and an area's id
  counted_at timestamptz not null,
  first_number integer not null,                           -- responses from this number on are not counted yet
  closed boolean not null,                                 -- the survey was already closed at the time
  exact jsonb not null,                                    -- exact counts: never shown
  counts jsonb not null,                                   -- published counts, which move in steps of five
  shown jsonb not null,                                    -- with small counts suppressed
  primary key (site_id, survey_id, part),
  foreign key (site_id, survey_id) references surveys (site_id, id) on delete cascade
);

-- Finds whether responses were edited or withdrawn since the snapshot, without reading all of them.
create index responses_edited on responses (site_id, survey_id, edited_at) where edited_at is not null;
create index responses_withdrawn on responses (site_id, survey_id, withdrawn_at) where withdrawn_at is not null;

-- The owner must see every site's rows; the application's grants restore this.
alter table survey_versions no force row level security;
alter table survey_counts no force row level security;
alter table survey_blocks no force row level security;

-- Places given as a point are counted from now on: tallies of surveys that ask for places are rebuilt the next time they are needed.
delete from survey_counts c where exists (
  select from survey_versions v where v.site_id = c.site_id and v.survey_id = c.survey_id
    and jsonb_path_exists(v.definition, '$.pages[*].questions[*] ? (@.type == "place")')
);
delete from survey_blocks b where exists (
  select from survey_versions v where v.site_id = b.site_id and v.survey_id = b.survey_id
    and jsonb_path_exists(v.definition, '$.pages[*].questions[*] ? (@.type == "place")')
);
