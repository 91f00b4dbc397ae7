-- One photo can be removed without the text of its contribution. Its file is kept as long as what removed passages said.
alter table contribution_photos
  add column removed_at timestamptz,
  add column removed_as text,                          -- the code of the rule
  add check ((removed_at is null) = (removed_as is null));
