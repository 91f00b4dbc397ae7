-- What people keep asking about a project, with its answers: [{ question, answer }], each text by language.
alter table projects add column faqs jsonb not null default '[]';
