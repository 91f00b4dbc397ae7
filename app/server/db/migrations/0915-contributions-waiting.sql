-- What waits for a decision or an official answer, for the administrators' list: its counts and its longest wait first.
create index contributions_waiting on contributions (site_id, submitted_at)
  where (state = 'held' or state = 'published' and answered is null and status_id is not null);
