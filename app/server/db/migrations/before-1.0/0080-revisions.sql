-- One revision model for homepages (the site's and each hub's) and for the appearance: rows that only change when published, plus one
-- current draft per place.

alter table homepage_revisions
  add column published_by uuid,
  add column announced_at timestamptz,                 -- when pages were notified of the publication
  add column waived jsonb not null default '[]';       -- names of texts that were missing when it was published
update homepage_revisions set announced_at = published_at where published_at <= now();

alter table appearance_revisions
  add column hub_id uuid,                              -- always null for now: hubs look like their site
  add column published_by uuid,
  add column announced_at timestamptz,
  add column waived jsonb not null default '[]';
update appearance_revisions set announced_at = published_at where published_at <= now();

create index homepage_revisions_live on homepage_revisions (site_id, hub_id, published_at desc);
create index appearance_revisions_live on appearance_revisions (site_id, published_at desc);

create table revision_heads (
  site_id uuid not null references sites (id),
  subject text not null check (subject in ('homepage', 'appearance')),
  scope_id uuid not null,                              -- the hub, or the site itself
  draft_id uuid,
  updated_at timestamptz not null default now(),
  primary key (site_id, subject, scope_id)
);

create table embed_domains (
  site_id uuid not null references sites (id),
  host text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (site_id, host)
);
