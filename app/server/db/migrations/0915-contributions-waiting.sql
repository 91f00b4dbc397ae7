-- What may wait for a decision or an official answer, for the counts of the administrators' list and its longest wait.
create index contributions_waiting on contributions (site_id, submitted_at) where answered is null and state in ('held', 'published');
