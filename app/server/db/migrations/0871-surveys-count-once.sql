-- A new survey counts each browser or account once, unless somebody chooses otherwise. Surveys that exist stay as they are.
alter table surveys alter column access set default 'anyone_once';
