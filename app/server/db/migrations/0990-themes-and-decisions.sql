-- What people wrote becomes themes, themes become decisions, and decisions say what was done. Tags on written answers were the beginning of it:
-- they become themes, and their table goes.

-- Themes of a project, found by reading.
create table themes (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  title jsonb not null,                           -- text by language
  description jsonb not null default '{}',
  stance text not null default 'suggestion' check (stance in ('for', 'against', 'suggestion', 'concern', 'question')),
  parent_id uuid check (parent_id <> id),
  merged_into uuid check (merged_into <> id),     -- what was coded stays with the theme it was coded to, so that a merge can be undone
  position integer not null default 0,
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade,
  foreign key (site_id, parent_id) references themes (site_id, id) on delete set null (parent_id),
  foreign key (site_id, merged_into) references themes (site_id, id) on delete set null (merged_into)
);
create index themes_project on themes (site_id, project_id, position);

-- Passages that a theme rests on: each is part of a stored version of what somebody wrote. An empty quote stands for the whole text.
create table theme_evidence (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  theme_id uuid not null,
  source text not null check (source in ('response', 'contribution', 'reply')),
  response_id uuid,
  contribution_id uuid,
  reply_id uuid,
  question text not null default '',              -- id of the survey's question
  version integer not null,                       -- of the survey for a response, else of the text itself
  start_at integer not null default 0,            -- in characters from the beginning of the text
  end_at integer not null default 0,
  quote text not null default '',
  state text not null default 'confirmed' check (state in ('suggested', 'confirmed', 'rejected')),
  is_quoted boolean not null default false,       -- may be quoted in public
  published_version integer,                      -- of the published decisions that first counted it
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  check (end_at - start_at = char_length(quote)),
  check ((source = 'response') = (response_id is not null) and (source = 'contribution') = (contribution_id is not null)
    and (source = 'reply') = (reply_id is not null) and (source = 'response') = (question <> '')),
  foreign key (site_id, theme_id) references themes (site_id, id) on delete cascade,
  foreign key (site_id, response_id) references responses (site_id, id) on delete cascade,
  foreign key (site_id, contribution_id) references contributions (site_id, id) on delete cascade,
  foreign key (site_id, reply_id) references replies (site_id, id) on delete cascade
);
create unique index theme_evidence_once on theme_evidence (
  site_id, theme_id, coalesce(response_id, contribution_id, reply_id), question, start_at, end_at);
create index theme_evidence_project on theme_evidence (site_id, project_id);
create index theme_evidence_response on theme_evidence (site_id, response_id) where response_id is not null;
create index theme_evidence_contribution on theme_evidence (site_id, contribution_id) where contribution_id is not null;
create index theme_evidence_reply on theme_evidence (site_id, reply_id) where reply_id is not null;

-- What was read, with a theme or without one.
create table theme_readings (
  site_id uuid not null,
  source_id uuid not null,                        -- a response, contribution or reply
  question text not null default '',
  project_id uuid not null,
  read_by uuid,
  read_at timestamptz not null default now(),
  primary key (site_id, source_id, question),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);
create index theme_readings_project on theme_readings (site_id, project_id);

-- Decisions of a project, and what was done. Numbers are given once.
create table decisions (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  number integer not null,
  title jsonb not null,
  text jsonb not null default '{}',
  outcome text not null check (outcome in ('taken_up', 'partly', 'not_taken_up', 'out_of_scope', 'later')),
  reason jsonb not null,
  body jsonb not null default '{}',               -- who decided: a committee, the council
  decided_on date not null,
  delivery text not null default 'planned' check (delivery in ('planned', 'under_way', 'done', 'stopped')),
  delivery_note jsonb not null default '{}',
  due_on date,
  published_at timestamptz,
  lock_version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, project_id, number),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

create table decision_themes (
  site_id uuid not null,
  decision_id uuid not null,
  theme_id uuid not null,
  project_id uuid not null,
  primary key (site_id, decision_id, theme_id),
  foreign key (site_id, decision_id) references decisions (site_id, id) on delete cascade,
  foreign key (site_id, theme_id) references themes (site_id, id) on delete cascade
);
create index decision_themes_theme on decision_themes (site_id, theme_id);

-- Promised dates that were changed, each with the reason.
create table decision_delays (
  site_id uuid not null,
  id uuid not null,
  decision_id uuid not null,
  project_id uuid not null,
  due_before date not null,
  due_after date,
  reason jsonb not null,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, decision_id) references decisions (site_id, id) on delete cascade
);
create index decision_delays_decision on decision_delays (site_id, decision_id, created_at);

-- Figures as they were when the decisions of a project were published. A later version supersedes.
create table decision_publications (
  site_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  version integer not null,
  texts integer not null,                         -- written by people: answers, contributions and replies
  texts_read integer not null,
  people jsonb not null,                          -- number by theme
  published_at timestamptz not null,
  published_by uuid,
  primary key (site_id, id),
  unique (site_id, project_id, version),
  foreign key (site_id, project_id) references projects (site_id, id) on delete cascade
);

-- What somebody wrote to a question of a survey: its text, the words beside "other", or the address of a place.
create function written_answer(answers jsonb, question text) returns text language sql immutable parallel safe
return coalesce(answers -> question ->> 'other', answers #>> array[question, 'place', 'address'],
  case when jsonb_typeof(answers -> question) = 'string' then answers ->> question end);

create function contribution_text(title text, body text) returns text language sql immutable parallel safe
return case when title = '' or body = '' then title || body else title || E'\n\n' || body end;

-- Evidence goes with the words it rests on, whoever takes them away: their author, a moderator, an erasure or the end of their retention.
create function drop_evidence_of_answers() returns trigger language plpgsql as $$
begin
  delete from theme_evidence e where e.site_id = new.site_id and e.response_id = new.id
    and (new.withdrawn_at is not null or (new.answers -> e.question) is distinct from (old.answers -> e.question));
  delete from theme_readings r where r.site_id = new.site_id and r.source_id = new.id
    and (new.withdrawn_at is not null or (new.answers -> r.question) is distinct from (old.answers -> r.question));
  return null;
end $$;
create trigger evidence_of_answers after update of answers, withdrawn_at on responses for each row
  when (old.answers is distinct from new.answers or old.withdrawn_at is distinct from new.withdrawn_at)
  execute function drop_evidence_of_answers();

create function drop_evidence_of_contributions() returns trigger language plpgsql as $$
begin
  delete from theme_evidence where site_id = new.site_id and contribution_id = new.id;
  delete from theme_readings where site_id = new.site_id and source_id = new.id;
  return null;
end $$;
create trigger evidence_of_contributions after update of state on contributions for each row
  when (new.state in ('withdrawn', 'erased')) execute function drop_evidence_of_contributions();

-- A moderator who masks a passage takes every earlier version away. What is not masked is found again in the text as it is now.
create function move_evidence_of_versions() returns trigger language plpgsql as $$
declare
  present record;
begin
  select c.version, contribution_text(c.title, c.body) as words into present from contributions c
    where c.site_id = old.site_id and c.id = old.contribution_id;
  if not found or present.version = old.number then
    return null;
  end if;
  delete from theme_evidence e where e.site_id = old.site_id and e.contribution_id = old.contribution_id and e.version = old.number
    and (position(e.quote in present.words) = 0 or exists (select from theme_evidence o
      where o.site_id = e.site_id and o.contribution_id = e.contribution_id and o.theme_id = e.theme_id and o.version = present.version
        and o.quote = e.quote));
  update theme_evidence e set version = present.version,
      start_at = case when e.quote = '' then 0 else position(e.quote in present.words) - 1 end,
      end_at = case when e.quote = '' then 0 else position(e.quote in present.words) - 1 + char_length(e.quote) end
    where e.site_id = old.site_id and e.contribution_id = old.contribution_id and e.version = old.number;
  return null;
end $$;
create trigger evidence_of_versions after delete on contribution_versions for each row execute function move_evidence_of_versions();

create function move_evidence_of_replies() returns trigger language plpgsql as $$
begin
  delete from theme_evidence e where e.site_id = new.site_id and e.reply_id = new.id
    and (new.state in ('withdrawn', 'erased') or position(e.quote in new.body) = 0);
  delete from theme_readings where site_id = new.site_id and source_id = new.id and new.state in ('withdrawn', 'erased');
  update theme_evidence e set version = new.version,
      start_at = case when e.quote = '' then 0 else position(e.quote in new.body) - 1 end,
      end_at = case when e.quote = '' then 0 else position(e.quote in new.body) - 1 + char_length(e.quote) end
    where e.site_id = new.site_id and e.reply_id = new.id and e.version <> new.version;
  return null;
end $$;
create trigger evidence_of_replies after update of body, state on replies for each row
  when (old.body is distinct from new.body or old.state is distinct from new.state) execute function move_evidence_of_replies();

-- Tags become themes: one for each name in a project, with the whole answer as its evidence. What has a tag was read.
alter table answer_tags no force row level security;
alter table activities no force row level security;
alter table responses no force row level security;
alter table surveys no force row level security;
alter table themes no force row level security;
alter table theme_evidence no force row level security;
alter table theme_readings no force row level security;
insert into themes (site_id, id, project_id, title, position, created_at)
select t.site_id, gen_random_uuid(), s.project_id, jsonb_build_object(sites.locale, t.tag),
  row_number() over (partition by t.site_id, s.project_id order by min(t.created_at), t.tag), min(t.created_at)
from answer_tags t join surveys s on s.site_id = t.site_id and s.id = t.survey_id join sites on sites.id = t.site_id
group by t.site_id, s.project_id, sites.locale, t.tag;
insert into theme_evidence (site_id, id, project_id, theme_id, source, response_id, question, version, created_by, created_at)
select t.site_id, gen_random_uuid(), s.project_id, themes.id, 'response', t.response_id, t.question, r.version, t.created_by, t.created_at
from answer_tags t join surveys s on s.site_id = t.site_id and s.id = t.survey_id join sites on sites.id = t.site_id
join responses r on r.site_id = t.site_id and r.id = t.response_id
join themes on themes.site_id = t.site_id and themes.project_id = s.project_id and themes.title ->> sites.locale = t.tag;
insert into theme_readings (site_id, source_id, question, project_id, read_by, read_at)
select distinct on (e.site_id, e.response_id, e.question) e.site_id, e.response_id, e.question, e.project_id, e.created_by, e.created_at
from theme_evidence e order by e.site_id, e.response_id, e.question, e.created_at;
drop table answer_tags;
-- The address of a project's decisions.
update activities set slug = 'decisions-' || left(id::text, 8) where slug = 'decisions';
alter table activities force row level security;
alter table responses force row level security;
alter table surveys force row level security;
alter table themes force row level security;
alter table theme_evidence force row level security;
alter table theme_readings force row level security;

call content_of('themes', '{project_id}', '{lock_version}');
call content_of('theme_evidence', '{project_id}', shown => 'this.published_version is not null');
call content_of('decisions', '{project_id}', '{lock_version}', 'this.published_at is not null');
call content_of('decision_themes', '{project_id}');
call content_of('decision_delays', '{project_id}');
call content_of('decision_publications', '{project_id}');
