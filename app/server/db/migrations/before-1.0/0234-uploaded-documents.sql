-- Names the stored content of an uploaded document; copies of a project share it. Null: the file is at a public address.
alter table project_documents add column content uuid;
create index project_documents_content on project_documents (site_id, content) where content is not null;
