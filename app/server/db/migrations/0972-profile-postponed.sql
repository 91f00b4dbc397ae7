-- When a person last answered or put off the questions on a receipt: they are not asked there again for 90 days.
alter table users add column profile_postponed_at timestamptz;
