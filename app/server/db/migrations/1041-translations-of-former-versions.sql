-- What a contribution said before can be translated for readers too, and changes or goes with its translations.
-- The check of types goes: a changed one would stand in the way of processes of the release before, so a later release may add it again.
alter table text_translations drop constraint text_translations_source;
create trigger text_translations_forgotten after update of title, body, fields, was_public on contribution_versions for each row
  when ((old.title, old.body, old.fields, old.was_public) is distinct from (new.title, new.body, new.fields, new.was_public))
  execute function forget_text_translations();
create trigger text_translations_deleted after delete on contribution_versions for each row execute function forget_text_translations();
