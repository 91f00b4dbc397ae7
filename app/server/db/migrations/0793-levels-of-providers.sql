-- What signing in with a provider proves; null: nothing. What it has proven belongs to the identity and goes with it.
alter table identity_providers add column proves_level text check (proves_level in ('contact', 'resident', 'identity'));
alter table identity_providers add constraint identity_providers_residents_check check (proves_level is null or audience = 'residents');

alter table verifications add column identity_id uuid;
alter table verifications add foreign key (site_id, identity_id) references identities (site_id, id) on delete cascade;
alter table verifications drop constraint verifications_method_check;
alter table verifications add constraint verifications_method_check check (method in ('list', 'in_person', 'code', 'text', 'provider'));
alter table verifications add constraint verifications_identity_check check ((identity_id is not null) = (method = 'provider'));
create index verifications_identity on verifications (site_id, identity_id) where identity_id is not null;
