-- Signing in with nothing but a passkey: who answers is known only with the answer, so that the challenge is noted when it was used.
alter table passkey_challenges drop constraint passkey_challenges_purpose_check;
alter table passkey_challenges add constraint passkey_challenges_purpose_check check (purpose in ('add', 'use', 'sign-in'));
comment on column passkey_challenges.bound_to is 'the session or pending sign-in; for ''sign-in'' the challenge itself, which was used';
