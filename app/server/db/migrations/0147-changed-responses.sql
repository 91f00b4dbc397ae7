-- Answers that their givers change while the survey is open, where it allows that: a draft that will take a response's place, and the
-- sending by which a response was last changed, so that sending it again is the same receipt.
alter table surveys add column changeable boolean not null default true;
alter table response_drafts add column replaces uuid;
alter table response_drafts add column receipt_sealed text;
alter table response_drafts add foreign key (site_id, replaces) references responses (site_id, id) on delete cascade;
create index response_drafts_replaces on response_drafts (site_id, replaces) where replaces is not null;
alter table responses add column edit_id uuid;
alter table responses add column edit_receipt text;
create index responses_edit on responses (site_id, edit_id) where edit_id is not null;
