-- Finds abandoned drafts without reading all of them.
create index response_drafts_updated on response_drafts (site_id, updated_at);
