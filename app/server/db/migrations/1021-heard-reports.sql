-- Reports of a project: what was heard, what was decided. Their drafts are versions, as those of homepages; publishing one freezes its figures.

-- Versions of the draft. Columns as in project_revisions.
create table heard_report_revisions (
  site_id uuid not null references sites (id),
  id uuid not null,
  project_id uuid check (project_id is not null), -- queries share it with the place of other versions, which may be null
  parent_id uuid,
  content jsonb not null,                         -- blocks, as of homepages
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  published_by uuid,
  announced_at timestamptz,
  waived jsonb not null default '[]',
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index heard_report_revisions_newest on heard_report_revisions (site_id, project_id, created_at desc);
create index heard_report_revisions_live on heard_report_revisions (site_id, project_id, published_at desc);
create index heard_report_revisions_autosaves on heard_report_revisions (created_at) where published_at is null and note = '';

-- Published reports. One of a project is the newest; former ones stay as they were.
create table heard_reports (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  revision_id uuid not null,
  version integer not null,
  kind text not null check (kind in ('heard', 'decided', 'both')),
  status text not null check (status in ('published', 'superseded')),
  as_of timestamptz not null,                     -- when it was published: its figures are those of this moment
  published_by uuid,
  content jsonb not null,                         -- blocks
  frozen jsonb not null,                          -- what each block showed, by language and block; quotes are not in it
  counts jsonb not null,                          -- answers by survey, texts, people by theme: what later withdrawals are compared with
  primary key (site_id, id),
  unique (site_id, project_id, version),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create unique index heard_reports_newest on heard_reports (site_id, project_id) where status = 'published';

-- Quotes of published reports. They go with the evidence, which goes with the words.
create table heard_report_quotes (
  site_id uuid not null,
  report_id uuid not null,
  block text not null,
  evidence_id uuid not null,
  project_id uuid not null,
  position integer not null,
  primary key (site_id, report_id, block, evidence_id),
  foreign key (site_id, report_id) references heard_reports (site_id, id) on delete cascade,
  foreign key (site_id, evidence_id) references theme_evidence (site_id, id) on delete cascade
);
create index heard_report_quotes_evidence on heard_report_quotes (site_id, evidence_id);

-- Whoever wrote the evidence `e`. Who has no account is another person with each text.
create function person_of_evidence(site uuid, evidence uuid) returns uuid language sql stable
return (select coalesce(r.user_id, r.id, c.author_id, c.id, p.author_id, p.id) from theme_evidence e
  left join responses r on r.site_id = e.site_id and r.id = e.response_id
  left join contributions c on c.site_id = e.site_id and c.id = e.contribution_id
  left join replies p on p.site_id = e.site_id and p.id = e.reply_id
  where e.site_id = site and e.id = evidence);

-- A report quotes one person five times at most, and only what may be quoted.
create function check_heard_report_quote() returns trigger language plpgsql as $$
declare
  person constant uuid := person_of_evidence(new.site_id, new.evidence_id);
begin
  if not exists (select from theme_evidence e where e.site_id = new.site_id and e.id = new.evidence_id
      and e.project_id = new.project_id and e.state = 'confirmed' and e.is_quoted) then
    raise exception 'heard_report_quotes: this passage may not be quoted' using errcode = 'check_violation';
  end if;
  if (select count(distinct q.evidence_id) from heard_report_quotes q where q.site_id = new.site_id and q.report_id = new.report_id
      and person_of_evidence(q.site_id, q.evidence_id) = person) > 5 then
    raise exception 'heard_report_quotes: more than five quotes of one person' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger heard_report_quotes_check after insert on heard_report_quotes for each row execute function check_heard_report_quote();

-- What may no longer be quoted leaves published reports too.
create function drop_heard_report_quotes() returns trigger language plpgsql as $$
begin
  delete from heard_report_quotes q where q.site_id = new.site_id and q.evidence_id = new.id;
  return null;
end $$;
create trigger heard_report_quotes_of_evidence after update of state, is_quoted on theme_evidence for each row
  when (new.state <> 'confirmed' or not new.is_quoted) execute function drop_heard_report_quotes();

alter table revision_heads drop constraint revision_heads_subject_check;
alter table revision_heads add constraint revision_heads_subject_check
  check (subject in ('homepage', 'appearance', 'project', 'activity', 'heard-report'));
alter table editor_presences drop constraint editor_presences_subject_check;
alter table editor_presences add constraint editor_presences_subject_check
  check (subject in ('homepage', 'appearance', 'project', 'survey', 'activity', 'heard-report'));

-- The address of a project's report.
alter table activities no force row level security;
update activities set slug = 'report-' || left(id::text, 8) where slug = 'report';
alter table activities force row level security;

-- Adds the versions to a branch of `sites_with_work`, whatever the others are.
do $$
declare
  known text := pg_get_functiondef('sites_with_work(text, timestamptz)'::regprocedure);
  branch constant text := 'union select r.site_id from activity_revisions r';
begin
  if position(branch in known) = 0 then
    raise exception 'sites_with_work does not read activity_revisions';
  end if;
  execute replace(known, branch, 'union select r.site_id from heard_report_revisions r
          where r.published_at is null and r.note = '''' and r.created_at < at - interval ''24 hours'' and r.created_at > at - interval ''27 hours''
        ' || branch);
end $$;

call content_of('heard_reports', '{project_id}');
call content_of('heard_report_quotes', '{project_id}');
