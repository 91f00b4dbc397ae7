-- Two-step sign-in: an authenticator app and recovery codes.
alter table users add column second_step_since timestamptz;      -- set while the person has a second step

create table authenticator_apps (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  sealed_key text not null,
  last_used_step bigint not null,                                -- time step of the last accepted code: none is accepted twice
  created_at timestamptz not null,
  primary key (site_id, id),
  constraint authenticator_apps_user unique (site_id, user_id),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

create table recovery_codes (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (site_id, id),
  constraint recovery_codes_hash unique (site_id, user_id, code_hash),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);

-- The password was right and the second step is due. Not a session: it lets nobody do anything but take that step.
create table pending_sign_ins (
  site_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (site_id, id),
  constraint pending_sign_ins_token unique (site_id, token_hash),
  foreign key (site_id, user_id) references users (site_id, id) on delete cascade
);
create index pending_sign_ins_user on pending_sign_ins (site_id, user_id);

-- When the person last proved who they are. Sessions from before this column have to prove it again.
alter table sessions add column confirmed_at timestamptz not null default 'epoch';
alter table sessions alter column confirmed_at set default now();
