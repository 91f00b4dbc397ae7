-- Activities may ask whether people agree, instead of for support: `supports` counts who supports or agrees.
alter table contributions add column disagrees integer not null default 0;
alter table reactions
  add column changed_at timestamptz,                   -- when the person changed their mind
  add constraint reactions_value check (value in ('support', 'agree', 'disagree'));
