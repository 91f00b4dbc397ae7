-- Providers that speak SAML 2.0, beside those of OpenID Connect.
alter table identity_providers
  add column protocol text not null default 'openid' check (protocol in ('openid', 'saml')),
  add column sso_url text,                                       -- where SAML sends people to sign in
  add column certificates text[] not null default '{}';          -- PEM; two while the provider changes its key

-- A checked SAML answer, between its arrival from the provider and the browser's own request, which has the cookie of the attempt.
create table saml_answers (
  site_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  sealed_answer text not null,
  expires_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, provider_id) references identity_providers (site_id, id) on delete cascade
);
create index saml_answers_provider on saml_answers (site_id, provider_id);
