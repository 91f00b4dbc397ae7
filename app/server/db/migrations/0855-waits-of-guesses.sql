-- After a few wrong guesses each further one makes the next wait longer: until when nothing is accepted.
alter table rate_limits add column waits_until timestamptz;
