-- PDFs of reports are made in the background by the job that makes files of responses.
alter table survey_exports alter column survey_id drop not null;
alter table survey_exports add column report jsonb; -- { title, query, projects, content }: what the reader saw when it was asked for
alter table survey_exports drop constraint survey_exports_format_check;
alter table survey_exports add constraint survey_exports_format_check check (format in ('csv', 'xlsx', 'json', 'spss', 'pdf'));
alter table survey_exports add constraint survey_exports_subject check ((survey_id is null) = (report is not null));
alter table survey_exports add foreign key (site_id) references sites (id);
