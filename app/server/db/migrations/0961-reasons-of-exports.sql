-- Why somebody asked for a file with personal data: also recorded when they download it.
alter table survey_exports add column reason text;
