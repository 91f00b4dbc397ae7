-- Mails and texts that wait to be sent, in all sites together: totals for the metrics, which tell nothing about any one site.
create function count_waiting_messages(at timestamptz) returns table (kind text, waiting bigint, due bigint, oldest_due timestamptz)
language plpgsql as $$
declare
  site record;
  mails record;
  texts record;
begin
  select 0::bigint waiting, 0::bigint due, null::timestamptz oldest into mails;
  select 0::bigint waiting, 0::bigint due, null::timestamptz oldest into texts;
  for site in select id from sites loop
    perform set_config('parley.site_id', site.id::text, true);
    select mails.waiting + count(*) waiting, mails.due + count(*) filter (where m.next_attempt_at <= at) due,
      least(mails.oldest, min(m.next_attempt_at) filter (where m.next_attempt_at <= at)) oldest
    into mails from outbox_mails m where m.site_id = site.id and m.sent_at is null and m.fault is null;
    select texts.waiting + count(*) waiting, texts.due + count(*) filter (where m.next_attempt_at <= at) due,
      least(texts.oldest, min(m.next_attempt_at) filter (where m.next_attempt_at <= at)) oldest
    into texts from sms_messages m where m.site_id = site.id and m.next_attempt_at is not null;
  end loop;
  return query values ('mail', mails.waiting, mails.due, mails.oldest), ('text', texts.waiting, texts.due, texts.oldest);
end $$;
