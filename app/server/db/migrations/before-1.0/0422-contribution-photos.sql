-- Photos of contributions, stored under the site and their id, re-encoded in two widths. A photo belongs to the sending it was uploaded
-- with, which becomes the contribution; a photo that was not sent within a day is swept. A row outlives its photo, so that its address can
-- say that it is gone.
create table contribution_photos (
  site_id uuid not null references sites (id),
  id uuid not null,                                    -- random: it cannot be guessed
  activity_id uuid not null,
  held_by uuid not null,                               -- the sending, and the contribution
  key_hash bytea not null,                             -- hash of the key that only its sender knows
  position integer not null default 0,
  alt text not null default '',
  width integer not null,                              -- of the wider one
  height integer not null,
  bytes bigint not null,                               -- of both; 0 once they are deleted
  touched_at timestamptz not null,
  sent_at timestamptz,
  gone_at timestamptz,                                 -- its contribution was withdrawn or erased
  giver_hash bytea,                                    -- keyed hash of the network address; none once it is sent
  browser_hash bytea,                                  -- keyed hash of the browser's secret, which sees the photo before it is sent
  primary key (site_id, id)
);
create index contribution_photos_held on contribution_photos (site_id, held_by, position);
create index contribution_photos_unsent on contribution_photos (site_id, activity_id) where sent_at is null;
create index contribution_photos_unsent_of_giver on contribution_photos (site_id, giver_hash) where sent_at is null;

-- Running activities take no photos unless somebody switches them on.
alter table activities no force row level security;
update activities set settings = settings || '{"photos": 0}' where not settings ? 'photos';
