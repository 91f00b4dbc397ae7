-- Editing a submitted response while the survey is open, if it allows that: a draft that will replace a response, and the submission that
-- last changed it, so that repeating it returns the same receipt.
alter table surveys add column changeable boolean not null default true;
alter table response_drafts add column replaces uuid;
alter table response_drafts add column receipt_sealed text;
alter table response_drafts add foreign key (site_id, replaces) references responses (site_id, id) on delete cascade;
create index response_drafts_replaces on response_drafts (site_id, replaces) where replaces is not null;
alter table responses add column edit_id uuid;
alter table responses add column edit_receipt text;
create index responses_edit on responses (site_id, edit_id) where edit_id is not null;
