-- Domains that a site trusts, in one or both directions: their pages may be embedded in homepage blocks, and they may embed ours.
alter table embed_domains add column shows_here boolean not null default true;
alter table embed_domains add column may_frame boolean not null default false;
