-- Names and titles are sorted as readers of a language expect: "Étienne" before "Zainab". A server built without ICU sorts as before.
do $$
declare
  spoken record;
begin
  for spoken in select * from (values ('parley_en', 'en'), ('parley_fr_ca', 'fr-CA'), ('parley_cy', 'cy')) as languages (name, locale) loop
    begin
      execute format('create collation %I (provider = icu, locale = %L)', spoken.name, spoken.locale);
    exception when feature_not_supported or undefined_object then
      execute format('create collation %I from pg_catalog."C"', spoken.name);
    end;
  end loop;
end $$;

drop index users_login;
create index users_login_en on users (site_id, (login collate parley_en), id);
create index users_login_fr_ca on users (site_id, (login collate parley_fr_ca), id);
create index users_login_cy on users (site_id, (login collate parley_cy), id);
