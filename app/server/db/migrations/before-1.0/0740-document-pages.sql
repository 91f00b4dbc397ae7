-- Of a PDF, where it says so.
alter table project_documents add column pages integer check (pages > 0);
