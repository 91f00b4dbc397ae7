-- Whom a survey for verified people lets in: the least level, and a list or null. Null: residents, by any list.
alter table surveys add column verification jsonb;
