-- Search columns: normalised words of the title, so that they can weigh more, and of all texts.
alter table projects add column search_title text not null default '';
alter table hubs add column search_title text not null default '', add column search_text text not null default '';
alter table pages add column search_title text not null default '', add column search_text text not null default '';
alter table project_updates add column search_title text not null default '', add column search_text text not null default '';

create index project_updates_recent on project_updates (site_id, published_at desc);
create index project_documents_project on project_documents (site_id, project_id, position);
create index surveys_project on surveys (site_id, project_id, position);
create index projects_closing on projects (site_id, closes_at);
create index project_members_user on project_members (site_id, user_id);
create index project_follows_user on project_follows (site_id, user_id);
