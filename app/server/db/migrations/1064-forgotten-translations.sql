-- What the language desk knows of translations goes with what they belong to. These kinds came to the desk after `events`.
do $$
declare
  name text;
begin
  foreach name in array array['topics', 'decisions', 'profile_questions', 'areas', 'project_documents', 'budget_rounds', 'budget_pots', 'budget_options'] loop
    execute format('create trigger translations_forgotten after delete on %I for each row execute function forget_stale_translations()', name);
    execute format('create trigger machine_texts_forgotten after delete on %I for each row execute function forget_machine_texts()', name);
  end loop;
end $$;
