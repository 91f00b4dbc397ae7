-- Sites that are to be or have been deleted: the platform's own record, which outlives the site. Global: it holds nothing about a site's
-- people or content.
create table site_deletions (
  id uuid primary key,                               -- the site's own
  name text not null,
  host text,                                         -- its main address when the deletion was requested
  was text not null check (was in ('active', 'suspended')), -- restored if the deletion is cancelled
  reason text not null,
  asked_by uuid not null,
  asked_by_name text not null,
  asked_at timestamptz not null,
  due_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'erasing', 'erased')),
  erased_at timestamptz,
  erased jsonb not null default '{}',                -- number of deleted rows per table, and of deleted files
  export_state text not null default 'waiting' check (export_state in ('waiting', 'running', 'done', 'failed', 'expired')),
  export_attempt uuid,                               -- the attempt that counts; its pieces are stored below this id
  export_alive_at timestamptz,                       -- last heartbeat of its process while it runs
  export_made_at timestamptz,
  export_pieces integer,
  export_bytes bigint,
  export_sha256 text,
  export_rows bigint,
  export_files integer,
  export_expires_at timestamptz
);

-- The application may only append to the audit trail. A site's trail is deleted with the site, and only while it is being erased.
create function erase_audit_trail(which uuid) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare gone bigint;
begin
  if not exists (select from site_deletions where id = which and state = 'erasing') then
    raise exception 'the audit trail of a site goes with the site alone';
  end if;
  delete from audit_events where site_id = which;
  get diagnostics gone = row_count;
  return gone;
end $$;
