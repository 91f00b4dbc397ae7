-- What a photo shows is translated with its contribution: whatever changes it, or takes the photo from the public, takes the translation with it.
create function forget_translations_of_photo() returns trigger language plpgsql as $$
begin
  delete from text_translations where site_id = old.site_id and source_id = old.held_by;
  return null;
end $$;
create trigger text_translations_forgotten after update of alt, gone_at, removed_at on contribution_photos for each row
  when ((old.alt, old.gone_at, old.removed_at) is distinct from (new.alt, new.gone_at, new.removed_at))
  execute function forget_translations_of_photo();
create trigger text_translations_deleted after delete on contribution_photos for each row execute function forget_translations_of_photo();
