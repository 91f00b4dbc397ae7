-- Extra questions of an activity, and what people answer to them, by the question's id.
alter table activities add column fields jsonb not null default '[]';
alter table contributions add column fields jsonb not null default '{}';
alter table contribution_versions add column fields jsonb not null default '{}';
