-- Domains that a site trusts, each in one way or both: its pages may be shown here, in blocks of the homepage, and it may show ours in its own.
alter table embed_domains add column shows_here boolean not null default true;
alter table embed_domains add column may_frame boolean not null default false;
