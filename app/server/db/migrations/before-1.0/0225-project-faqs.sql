-- Frequently asked questions of a project: [{ question, answer }], each text by language.
alter table projects add column faqs jsonb not null default '[]';
