-- Constraints and indexes of tables that were renamed still had the former names. A new installation names them after the tables.
do $$
declare
  called record;
begin
  for called in
    select c.conrelid::regclass as renamed, c.conname as former, regexp_replace(c.conname, t.former, t.renamed) as present
    from (values ('sms_campaigns', 'campaigns'), ('survey_invitation_batches', 'invitation_batches'), ('survey_invitations', 'invitations'))
      as t (former, renamed)
    join pg_constraint c on c.conrelid = t.renamed::regclass and c.conname like t.former || '\_%'
  loop
    execute format('alter table %s rename constraint %I to %I', called.renamed, called.former, called.present);
  end loop;
end $$;

alter index survey_invitation_batches_survey rename to invitation_batches_survey;
alter index survey_invitations_batch rename to invitations_batch;
alter index survey_invitations_recipient rename to invitations_recipient;
