-- Assertions of SAML that are encrypted for a key of the site, and requests that the site signs. The keys are in sealed_keys.
alter table identity_providers
  add column assertion_encryption text not null default 'none' check (assertion_encryption in ('none', 'accepted', 'required')),
  add column signs_requests boolean not null default false;
