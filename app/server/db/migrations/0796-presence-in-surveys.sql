-- Who else has a survey open in its editor.
alter table editor_presences drop constraint editor_presences_subject_check;
alter table editor_presences add constraint editor_presences_subject_check check (subject in ('homepage', 'appearance', 'project', 'survey'));
